/** Asks for the password of a PDF. */

import * as vscode from "vscode";
import type { Passwords } from "../core/passwords";
import { fileName } from "../core/status";
import { inMessage } from "../core/text";
import { t } from "./l10n";

export async function enterPassword(passwords: Passwords, uri: string): Promise<void> {
  const name = fileName(uri);
  const opened = await passwords.open(uri, (wasWrong) =>
    vscode.window.showInputBox({
      title: t("Password of {0}", name),
      prompt: wasWrong
        ? t("That password does not open {0}. Try another one.", name)
        : t("The editor keeps it among its secrets, and it is tried on other PDFs, too, until you run “Forget PDF Passwords”."),
      password: true,
      ignoreFocusOut: true,
    }),
  );
  if (opened) void vscode.window.showInformationMessage(t("The password opens {0}, which is being read now.", inMessage(name)));
}

export async function forgetPasswords(passwords: Passwords): Promise<void> {
  await passwords.forget();
  void vscode.window.showInformationMessage(t("The passwords of PDFs that you entered are forgotten. What was read of the PDFs stays in the index."));
}
