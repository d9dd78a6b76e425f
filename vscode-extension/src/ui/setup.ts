/** From a Python to a ready environment, with the person's leave. */

import * as vscode from "vscode";
import path from "node:path";
import { ensureEnvironment, troubleOfError, type Ending, type Outcome, type Site, type Step } from "../core/bootstrap";
import { choose, onPath, type Candidate, type Choice, type NoPython } from "../core/python";
import { question } from "../core/troubles";
import { findCargo } from "../host/cargo";
import { Consent } from "../host/consent";
import { Environment } from "../host/environment";
import { holding } from "../host/lock";
import { platformHere, probe, realPath } from "../host/machine";
import { run } from "../host/run";
import type { Configuration } from "./configuration";
import { t } from "./l10n";
import { chosenInPythonExtension } from "./pythonExtension";
import { folderPaths } from "./uris";

const CHECK_MS = 60_000;

export class Setup {
  private readonly platform = platformHere();
  private readonly storage: string;
  private readonly cargoFolder: string;
  private readonly consent: Consent;
  private making: AbortController | undefined;

  public constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly configuration: Configuration,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.storage = context.globalStorageUri.fsPath;
    this.consent = new Consent(this.storage);
    this.cargoFolder = path.join(context.extensionPath, "server");
  }

  /** The finished environment of this version; undefined when it has to be made. Reads files only. */
  public existing(): Environment | undefined {
    const environment = this.environment();
    return environment?.isReady(this.configuration.python) === true ? environment : undefined;
  }

  /** Whether the person was asked and did not want it: then nothing asks again by itself. */
  public async wasDeclined(): Promise<boolean> {
    return (await this.consent.read()) === "declined";
  }

  /** Remove an environment that cannot run the server any more; true when it was removed. */
  public async discardIfBroken(environment: Environment): Promise<boolean> {
    const checked = await run(environment.interpreter, ["-I", "-c", "import notekin.compose, notekin.lsp.server"], {
      cwd: this.storage,
      timeoutMs: CHECK_MS,
    });
    if (checked.status === 0) return false;
    this.log.warn(`The environment is broken and will be made again: ${checked.output.trim()}`);
    await environment.discard();
    return true;
  }

  /** Stop what is being made: nobody is there any more to see it. */
  public cancel(): void {
    this.making?.abort();
  }

  /** Make the environment, asking first; shows its progress and can be cancelled. */
  public async make(onAgreed: () => void): Promise<Outcome> {
    return this.attempt(onAgreed).catch(troubleOfError);
  }

  private async attempt(onAgreed: () => void): Promise<Outcome> {
    const cargo = findCargo(this.cargoFolder, this.version);
    if (cargo === undefined) {
      return { kind: "failed", step: "environment", lastLine: t("this build of the extension carries no server. Set notekin.server.command.") };
    }
    const environment = new Environment(this.storage, cargo, this.platform);
    await environment.prepare();
    const options = { location: vscode.ProgressLocation.Notification, title: t("Setting up Notekin"), cancellable: true };
    // The bar opens with the work, not with the question before it.
    const choice = await this.findPython();
    if (choice.kind !== "found") return choice;
    if (!(await this.mayInstall(choice))) return { kind: "declined" };
    onAgreed();
    return vscode.window.withProgress(options, async (progress, cancelled) => {
      const controller = new AbortController();
      this.making = controller;
      cancelled.onCancellationRequested(() => {
        controller.abort();
      });
      const site = this.site(environment, progress, controller.signal);
      const wait = (ms: number): Promise<void> => {
        progress.report({ message: t("waiting for another window") });
        return new Promise((resolve) => setTimeout(resolve, ms));
      };
      const lock = `${environment.folder}.lock`;
      return (await holding(lock, wait, controller.signal, () => ensureEnvironment(site, cargo, choice))) ?? { kind: "cancelled" };
    });
  }

  private get version(): string {
    return (this.context.extension.packageJSON as { version: string }).version;
  }

  private environment(): Environment | undefined {
    const cargo = findCargo(this.cargoFolder, this.version);
    return cargo && new Environment(this.storage, cargo, this.platform);
  }

  private site(
    environment: Environment,
    progress: vscode.Progress<{ increment?: number; message: string }>,
    signal: AbortSignal,
  ): Site {
    let percentBefore = 0;
    return {
      folder: environment.folder,
      interpreter: environment.interpreter,
      isReady: () => environment.isReady(this.configuration.python),
      begins: (step) => {
        progress.report({ message: stepName(step) });
      },
      run: (program, parameters, onLine): Promise<Ending> => {
        this.log.info(`Running ${[program, ...parameters].join(" ")}`);
        const told = (line: string): void => {
          this.log.info(line);
          onLine(line);
        };
        return run(program, parameters, { cwd: this.storage, onLine: told, signal });
      },
      progress: (percent, line) => {
        progress.report({ increment: percent - percentBefore, message: line.replace(/\s*\(from .*/, "") });
        percentBefore = percent;
      },
      markReady: (python) => environment.markReady(python),
      discard: () => environment.discard(),
    };
  }

  private async findPython(): Promise<Choice | NoPython> {
    const named = this.configuration.python;
    const ofExtension = named === "" ? await chosenInPythonExtension() : undefined;
    const candidates: Candidate[] =
      named !== ""
        ? [{ path: named, origin: "setting" }]
        : [
            ...(ofExtension === undefined ? [] : [{ path: ofExtension, origin: "extension" } as const]),
            ...onPath(process.env["PATH"] ?? "", this.platform).map((file): Candidate => ({ path: file, origin: "path" })),
          ];
    return choose(candidates, { platform: this.platform, workspaceFolders: folderPaths(), realPath, probe });
  }

  private async mayInstall(choice: Choice): Promise<boolean> {
    if ((await this.consent.read()) === "agreed") return true;
    const install = t("Set Up");
    const answer = await vscode.window.showInformationMessage(
      question(choice.candidate.path, choice.probe.version.join("."), t),
      install,
      t("Not Now"),
    );
    await this.consent.write(answer === install ? "agreed" : "declined");
    return answer === install;
  }
}

function stepName(step: Step): string {
  switch (step) {
    case "environment":
      return t("making the environment");
    case "install":
      return t("downloading and installing");
    case "check":
      return t("trying it once");
  }
}
