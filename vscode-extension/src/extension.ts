/** The table of contents of the extension: what there is, and how it is wired. */

import type { Stopwatch } from "./core/stopwatch";
import * as vscode from "vscode";
import type { Hit } from "./core/protocol";
import { PASSWORDS, Passwords } from "./core/passwords";
import { searchParams } from "./core/scope";
import { NotYet } from "./core/rows";
import { isWorking, whyNotAsked } from "./core/status";
import { Configuration } from "./ui/configuration";
import { ContextKey } from "./ui/contextKey";
import { Controller } from "./ui/controller";
import { createLog } from "./ui/log";
import { Memory } from "./ui/memory";
import { Menu } from "./ui/menu";
import { HERE, openArgument, openHit, openPdfOf } from "./ui/open";
import { forgetPasswords } from "./ui/passwords";
import { RelatedView, type Node } from "./ui/related";
import { pickInterpreter, tellTrouble } from "./ui/remedies";
import { Search } from "./ui/search";
import { OPEN_HIT } from "./ui/server";
import { Setup } from "./ui/setup";
import { StatusBar } from "./ui/statusBar";
import { t } from "./ui/l10n";

let controller: Controller | undefined;

/** What tests may look at. */
export interface Api {
  readonly state: () => Controller["state"];
  readonly serverPid: () => number | undefined;
}

/** What was there before this was loaded. */
export interface Beginning {
  readonly stopwatch: Stopwatch;
  /** Told once the first server runs: what comes now keeps nobody waiting. */
  readonly settled: () => void;
}

export async function activate(context: vscode.ExtensionContext, { stopwatch, settled }: Beginning): Promise<Api> {
  const log = createLog();
  const configuration = new Configuration(context.extension);
  const setup = new Setup(context, configuration, log);
  const life: Controller = new Controller(context, configuration, setup, log, stopwatch, (trouble) => {
    void tellTrouble(trouble, { retry: () => life.retry(), showLog: () => { log.show(); } });
  });
  controller = life;
  const bar = new StatusBar();
  const passwords = new Passwords(context.secrets, async (params) => {
    const server = life.running;
    if (server === undefined) throw new Error(whyNotAsked(life.state.server, t).text);
    return server.methods.includes("notekin/unlock") ? server.unlock(params) : { opened: false };
  });
  const givePasswords = (): void => {
    // A server that ends meanwhile is given them by the next start.
    passwords.give().catch(() => undefined);
  };
  const menu = new Menu(life, log, passwords);
  const memory = new Memory(context.workspaceState);
  const related = new RelatedView((params, signal) => life.running?.related(params, signal), configuration);
  const serverState = new ContextKey("notekin.server");
  const searching = new Searching(life, configuration, memory);

  context.subscriptions.push(
    log,
    bar,
    life,
    related,
    life.onDidChange((state) => {
      if (state.server === "running") settled();
      bar.show(state);
      searching.current?.refresh();
      related.refresh(revisionOf(state));
      serverState.become(state.server);
    }),
    life.onDidStart(givePasswords),
    // One was entered, or they were forgotten, here or in another window.
    context.secrets.onDidChange((event) => {
      if (event.key === PASSWORDS && life.running !== undefined) givePasswords();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (configuration.concernsLaunch(event)) void life.restart();
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (searching.current === undefined) memory.visited(editor?.document);
    }),
    ...Object.entries(commands(life, menu, related, searching, passwords, log)).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
  memory.visited(vscode.window.activeTextEditor?.document);
  void life.begin();
  // The editor loads what may come later when this is over: the server begins to work meanwhile.
  await life.asked;
  return { state: () => life.state, serverPid: () => life.running?.pid };
}

export async function deactivate(): Promise<void> {
  await controller?.end();
}

function commands(
  life: Controller,
  menu: Menu,
  related: RelatedView,
  searching: Searching,
  passwords: Passwords,
  log: vscode.LogOutputChannel,
): Record<string, (...parameters: never[]) => unknown> {
  return {
    "notekin.ui.search": (query?: unknown) => {
      // Who asks for a search wants what it needs, whatever was answered before.
      if (life.state.server === "needsSetup") return life.setUp();
      return searching.open(typeof query === "string" ? query : "");
    },
    "notekin.ui.search.goBack": () => searching.current?.goBack(),
    "notekin.ui.search.openBeside": () => searching.current?.openBeside(),
    "notekin.ui.search.insertLink": () => searching.current?.insertActive(),
    "notekin.ui.search.copyLink": () => searching.current?.copyActive(),
    "notekin.ui.search.nextScope": () => searching.current?.nextScope(),
    "notekin.ui.search.nextMode": () => searching.current?.nextMode(),
    "notekin.ui.related.open": (hit: Hit) => openHit(hit, HERE),
    "notekin.ui.related.insertLink": (node?: Node) => related.insert(node),
    "notekin.ui.openPdf": (document?: vscode.Uri) => openPdfOf(document),
    "notekin.ui.menu": () => menu.open(),
    "notekin.ui.setUp": () => life.setUp(),
    "notekin.ui.restart": () => life.restart(),
    "notekin.ui.pause": () => menu.act("pause"),
    "notekin.ui.resume": () => menu.act("resume"),
    "notekin.ui.failures": () => menu.act("failures"),
    "notekin.ui.rebuild": () => menu.act("rebuild"),
    "notekin.ui.forgetPasswords": () => forgetPasswords(passwords),
    "notekin.ui.pickInterpreter": () => pickInterpreter({ retry: () => life.retry() }),
    "notekin.ui.showLog": () => {
      log.show();
    },
    [OPEN_HIT]: (argument: unknown) => openArgument(argument),
  };
}

/** Changes when there may be something new to show; not with every note of a long piece of work. */
function revisionOf({ server, statuses }: Controller["state"]): string {
  return `${server} ${statuses.map((status) => (isWorking(status) ? "" : status.revision)).join(" ")}`;
}

/** At most one picker, and the context key by which its keys are bound while it is open. */
class Searching {
  public current: Search | undefined;
  private wayBack: Promise<void> = Promise.resolve();
  private readonly isOpen = new ContextKey("notekin.searchOpen");

  public constructor(
    private readonly life: Controller,
    private readonly configuration: Configuration,
    private readonly memory: Memory,
  ) {}

  /** Open a picker, once the one before has brought the person back to where they were. */
  public async open(query: string): Promise<void> {
    await this.wayBack;
    if (this.current !== undefined) {
      this.current.again(query);
      return;
    }
    const opened: Search = new Search(
      {
        configuration: this.configuration,
        search: async (text, scope, mode, signal) => {
          const server = this.life.running;
          if (server === undefined) throw this.whyNot;
          return server.search(searchParams(text, scope, mode, this.configuration.limit), signal);
        },
        revision: () => revisionOf(this.life.state),
        history: () => this.memory.queries(),
        remember: (text) => {
          this.memory.rememberQuery(text);
        },
        recentNotes: () => this.memory.notes(),
      },
      query,
      (wayBack) => {
        this.wayBack = wayBack;
        if (this.current === opened) this.become(undefined);
      },
    );
    this.become(opened);
  }

  private get whyNot(): Error {
    const { text, comesByItself } = whyNotAsked(this.life.state.server, t);
    return comesByItself ? new NotYet(text) : new Error(text);
  }

  private become(search: Search | undefined): void {
    this.current = search;
    this.isOpen.become(search !== undefined);
  }
}
