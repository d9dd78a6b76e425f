/** The choice of the model. */

import * as vscode from "vscode";
import { modelInUse, modelRows, settingFor, type ModelRow } from "../core/models";
import type { IndexStatus } from "../core/protocol";
import { inMessage, messageOf } from "../core/text";
import { SECTION } from "./configuration";
import { t } from "./l10n";
import { openMachineSetting } from "./settingsEditor";

const NAME = "model";

/** Let the person choose a model, and keep it as their setting; the server is told of it as of any change. */
export async function pickModel(statuses: readonly IndexStatus[]): Promise<void> {
  const setting = settingOfPerson();
  const chosen = await shown(modelRows(modelInUse(setting, statuses), t));
  if (chosen === undefined || chosen.isInUse) return;
  if (chosen.model === undefined) await openSetting();
  else await write(settingFor(chosen.model, setting));
}

/** What the person set in the editor; undefined for nothing, for which the default would stand. */
function settingOfPerson(): string | undefined {
  const all = vscode.workspace.getConfiguration(SECTION);
  const value = all.inspect(NAME)?.globalValue === undefined ? undefined : all.get<unknown>(NAME);
  return typeof value === "string" ? value : undefined;
}

/** Unlike the editor's own, this list begins at the row in use. */
async function shown(rows: readonly ModelRow[]): Promise<ModelRow | undefined> {
  const picker = vscode.window.createQuickPick<ModelRow & vscode.QuickPickItem>();
  picker.title = t("Model");
  picker.placeholder = t("With another model every passage is embedded again; search by words goes on");
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = rows;
  picker.activeItems = rows.filter(({ isInUse }) => isInUse);
  const chosen = new Promise<ModelRow | undefined>((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]);
      picker.hide(); // Resolves once more, which has no effect.
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
  });
  picker.show();
  return chosen;
}

async function write(value: string | undefined): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(SECTION).update(NAME, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    const reason = inMessage(messageOf(error));
    const toSetting = t("Open the Setting");
    const answer = await vscode.window.showErrorMessage(t("The model is still the one before, because the setting could not be written: {0}", reason), toSetting);
    if (answer === toSetting) await openSetting();
  }
}

function openSetting(): Promise<void> {
  return openMachineSetting(`${SECTION}.${NAME}`);
}
