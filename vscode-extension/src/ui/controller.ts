/** The life of the server: set up, started, started again, stopped. */

import { mkdirSync } from "node:fs";
import * as vscode from "vscode";
import type { Trouble } from "../core/bootstrap";
import { Crashes } from "../core/crashes";
import type { IndexStatus } from "../core/protocol";
import type { Server as ServerState } from "../core/status";
import type { Stopwatch } from "../core/stopwatch";
import type { Environment } from "../host/environment";
import type { Launch } from "../host/program";
import type { Configuration } from "./configuration";
import { t } from "./l10n";
import { OtherProtocol, Server } from "./server";
import type { Setup } from "./setup";

export interface State {
  readonly server: ServerState;
  readonly statuses: readonly IndexStatus[];
}

export class Controller implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  public readonly onDidChange = this.changed.event;
  private readonly started = new vscode.EventEmitter<Server>();
  /** A server can be asked from now on. */
  public readonly onDidStart = this.started.event;
  public state: State = { server: "starting", statuses: [] };
  private hasAsked: () => void = () => undefined;
  /** Resolves once the first server was sent its first request, or has to be waited for. */
  public readonly asked = new Promise<void>((resolve) => {
    this.hasAsked = resolve;
  });
  private server: Server | undefined;
  private environment: Environment | undefined;
  private restartTimer: NodeJS.Timeout | undefined;
  private wasRepaired = false;
  /** Whether what the settings name now was running once: then it can, and ends for another reason. */
  private hasRun = false;
  private isSettingUp = false;
  private readonly crashes = new Crashes(() => Date.now());

  public constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly configuration: Configuration,
    private readonly setup: Setup,
    private readonly log: vscode.LogOutputChannel,
    private readonly stopwatch: Stopwatch,
    private readonly tell: (trouble: Trouble) => void,
  ) {}

  /** The server while it can be asked. */
  public get running(): Server | undefined {
    return this.state.server === "running" ? this.server : undefined;
  }

  public get methods(): readonly string[] {
    return this.running?.methods ?? [];
  }

  /** Start with what is there; without an environment, ask once whether to make one. */
  public async begin(): Promise<void> {
    const launch = this.findLaunch();
    if (launch !== undefined) {
      await this.start(launch);
      return;
    }
    this.become("needsSetup");
    if (!(await this.setup.wasDeclined())) await this.retry();
  }

  /** Set up, unless that is what is being done already. */
  public async retry(): Promise<void> {
    if (!this.isSettingUp) await this.setUp();
  }

  /** Make the environment unless one can be started, and start; what hinders it is told with buttons. */
  public async setUp(): Promise<void> {
    if (this.isSettingUp) {
      // The editor puts a question away that nobody answers for a while: here it is again.
      await vscode.commands.executeCommand("notifications.showList");
      return;
    }
    if (this.findLaunch() !== undefined) {
      if (this.running === undefined) await this.restart();
      return;
    }
    this.isSettingUp = true;
    try {
      await this.stop();
      this.become("needsSetup");
      const outcome = await this.setup.make(() => {
        this.become("settingUp");
      });
      if (outcome.kind !== "ready") {
        this.log.warn(`Not set up: ${JSON.stringify(outcome)}`);
        this.become("needsSetup");
        this.tell(outcome);
        return;
      }
    } finally {
      this.isSettingUp = false;
    }
    this.crashes.forget();
    // The settings may have changed meanwhile, and name another Python or a program.
    await this.begin();
  }

  /** Stop what runs and start anew, crashes forgotten. */
  public async restart(): Promise<void> {
    if (this.isSettingUp) return; // Begins by itself, with what the settings say by then.
    this.hasRun = false;
    this.crashes.forget();
    await this.stop();
    await this.begin();
  }

  public async stop(): Promise<void> {
    clearTimeout(this.restartTimer);
    const { server } = this;
    this.server = undefined;
    await server?.stop();
  }

  /** Stop everything for good. */
  public async end(): Promise<void> {
    this.setup.cancel();
    await this.stop();
  }

  public dispose(): void {
    clearTimeout(this.restartTimer);
    this.changed.dispose();
    this.started.dispose();
  }

  /** What to run, from a few small files; read at once, so that nothing else of a starting editor comes between. */
  private findLaunch(): Launch | undefined {
    const cwd = this.context.globalStorageUri.fsPath;
    const command = this.configuration.serverCommand;
    this.environment = command === undefined ? this.setup.existing() : undefined;
    if (command === undefined && this.environment === undefined) return undefined;
    mkdirSync(cwd, { recursive: true });
    return command !== undefined
      ? { ...command, cwd }
      : { program: this.environment?.interpreter ?? "", parameters: ["-I", "-m", "notekin", "lsp"], cwd };
  }

  private async start(launch: Launch): Promise<void> {
    this.become("starting");
    const before = this.server;
    const server: Server = new Server(launch, this.configuration, this.log, {
      greeted: () => {
        this.hasAsked();
        const laps = this.stopwatch.stop();
        if (laps !== undefined) this.log.info(`The server was asked after ${Math.round(laps.loading)} ms of loading and ${Math.round(laps.activating)} ms of activating.`);
      },
      status: (statuses) => {
        if (this.server === server) this.become(this.state.server, statuses);
      },
      died: (error) => {
        if (this.server === server) void this.died(server, error);
      },
    });
    this.server = server;
    await before?.stop();
    if (!(await server.start()) || this.server !== server) return;
    this.hasRun = true;
    this.become("running", this.state.statuses);
    this.started.fire(server);
    await this.environment?.use(Date.now()).catch((error: unknown) => {
      this.log.warn(`Old environments could not be removed: ${String(error)}`);
    });
  }

  private async died(server: Server, error: unknown): Promise<void> {
    this.log.error(error === undefined ? "The server ended by itself." : `The server could not be started: ${error instanceof Error ? error.message : "no reason given"}`);
    const neverRan = this.state.server === "starting";
    this.hasAsked();
    this.server = undefined;
    await server.stop();
    if (neverRan && (await this.repaired())) return;
    const decision = this.crashes.add();
    const bad = neverRan && !this.hasRun ? this.badCommand(server, error) : undefined;
    if (bad !== undefined && (decision.kind === "giveUp" || isHopeless(server, error))) {
      this.become("stopped");
      this.tell(bad);
      return;
    }
    if (decision.kind === "giveUp") {
      this.become("stopped");
      await this.tellCrashes();
      return;
    }
    this.become("starting");
    this.restartTimer = setTimeout(() => void this.begin(), decision.delayMs);
  }

  /** A private environment that cannot run the server is made again, once a session. */
  private async repaired(): Promise<boolean> {
    if (this.environment === undefined || this.wasRepaired) return false;
    this.wasRepaired = true;
    if (!(await this.setup.discardIfBroken(this.environment))) return false;
    await this.setUp();
    return true;
  }

  /** What is wrong with the program that the person named, where one was started. */
  private badCommand(server: Server, error: unknown): Trouble | undefined {
    if (this.environment !== undefined) return undefined;
    return { kind: error instanceof OtherProtocol ? "otherProtocol" : "badCommand", program: server.launch.program };
  }

  private async tellCrashes(): Promise<void> {
    const [showLog, startAgain] = [t("Show Log"), t("Start Again")];
    const answer = await vscode.window.showErrorMessage(t("Notekin's server ended three times within three minutes and is left alone."), showLog, startAgain);
    if (answer === showLog) this.log.show();
    if (answer === startAgain) await this.restart();
  }

  private become(server: ServerState, statuses: readonly IndexStatus[] = []): void {
    if (server !== "starting") this.hasAsked();
    this.state = { server, statuses };
    this.changed.fire(this.state);
  }
}

/** Whether trying once more would end the same way. */
function isHopeless(server: Server, error: unknown): boolean {
  return server.pid === undefined || error instanceof OtherProtocol;
}
