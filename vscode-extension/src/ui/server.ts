/** One run of the server: a language client, and the requests of Notekin. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { PassThrough } from "node:stream";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageTransports,
} from "vscode-languageclient/node";
import {
  notifications,
  protocolVersion,
  requests,
  type Hit,
  type IndexStatus,
  type RelatedParams,
  type Requests,
  type SearchParams,
  type SearchResult,
  type ServerCapability,
  type StatusChangedParams,
  type UnlockParams,
  type UnlockResult,
} from "../core/protocol";
import { withReadableLinks } from "../core/places";
import { Sealed, unsealed } from "../core/sealed";
import { endProgram, startProgram, type Launch } from "../host/program";
import { SECTION, type Configuration } from "./configuration";
import { Notifications } from "./progress";
import { READABLE_SCHEME, sameSpelling } from "./uris";

export interface Listener {
  /** `initialize` was sent. */
  greeted(): void;
  status(statuses: readonly IndexStatus[]): void;
  /** The server ended without being asked to; called once, also when it never came up. */
  died(error: unknown): void;
}

/** The program serves another version of the protocol, or none. */
export class OtherProtocol extends Error {}

export const OPEN_HIT = "notekin.ui.openHit";
const SUFFIXES = ["md", "markdown", "mdx", "txt", "text", "org", "rst"];
const STOP_MS = 5000;

export class Server {
  public methods: readonly string[] = [];
  private readonly client: QuietClient;
  private readonly notifications: Notifications;
  private child: ChildProcessWithoutNullStreams | undefined;
  private over = false;

  public constructor(
    public readonly launch: Launch,
    configuration: Configuration,
    private readonly log: vscode.LogOutputChannel,
    private readonly listener: Listener,
  ) {
    this.notifications = new Notifications((token) => {
      void this.client.sendNotification("window/workDoneProgress/cancel", { token });
    });
    this.client = new QuietClient(SECTION, "Notekin", () => this.connect(), {
      documentSelector: selector(configuration),
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => configuration.forServer(),
      initializationFailedHandler: () => false,
      markdown: { isTrusted: { enabledCommands: [OPEN_HIT] }, supportHtml: false },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.died(undefined);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        provideHover: async (document, position, token, next) => {
          const hover = configuration.hover(document.uri) ? await next(document, position, token) : undefined;
          for (const part of hover?.contents ?? []) {
            if (part instanceof vscode.MarkdownString) part.value = withReadableLinks(part.value, OPEN_HIT, sameSpelling);
          }
          return hover;
        },
        handleWorkDoneProgress: (token, params, next) => {
          // The client shows a bar of its own from `begin` on; of ours it needs to know the end only.
          this.notifications.handle(token, params);
          if (params.kind === "end") next(token, params);
        },
        workspace: {
          // The server asks for this at its start and whenever it is told that something changed.
          configuration: (params) =>
            params.items.map((item) =>
              item.section === SECTION
                ? configuration.forServer(typeof item.scopeUri === "string" ? vscode.Uri.parse(item.scopeUri) : undefined)
                : null,
            ),
        },
      },
    });
    this.client.onNotification(notifications.statusChanged, (params: StatusChangedParams) => {
      this.listener.status(params.status.map(respelt));
    });
  }

  /** Resolves when the server can be asked; a failure is told to the listener. */
  public async start(): Promise<boolean> {
    try {
      await this.client.start();
      const experimental = this.client.initializeResult?.capabilities.experimental as { notekin?: ServerCapability } | undefined;
      const served = experimental?.notekin?.protocolVersion;
      if (served !== protocolVersion) throw new OtherProtocol(`its protocol is ${served ?? "none of ours"}, not ${protocolVersion}`);
      this.methods = experimental?.notekin?.methods ?? [];
      this.listener.status((await this.request("status", {})).map(respelt));
      return true;
    } catch (error) {
      this.died(error);
      return false;
    }
  }

  public async stop(): Promise<void> {
    this.over = true;
    this.notifications.dispose();
    // One that never came up, or is gone, has nothing to stop.
    await this.client.dispose(STOP_MS).catch(() => undefined);
    if (this.child !== undefined) endProgram(this.child);
  }

  public get pid(): number | undefined {
    return this.child?.pid;
  }

  public async search(params: SearchParams, signal: AbortSignal): Promise<SearchResult> {
    return respeltResult(await this.request("search", params, signal));
  }

  public async related(params: RelatedParams, signal: AbortSignal): Promise<SearchResult> {
    return respeltResult(await this.request("related", params, signal));
  }

  /** As `request`, but no log of messages holds the passwords. */
  public async unlock(params: UnlockParams): Promise<UnlockResult> {
    const passwords = params.passwords.map((each) => new Sealed(each));
    return this.client.sendRequest<UnlockResult>(requests.unlock, { ...params, passwords });
  }

  /** Send one of the requests; an abort cancels it at the server. */
  public async request<Name extends keyof typeof requests>(
    name: Name,
    params: Requests[(typeof requests)[Name]]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[(typeof requests)[Name]]["result"]> {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      source.cancel();
    };
    signal?.addEventListener("abort", cancel);
    try {
      return await this.client.sendRequest(requests[name], params, source.token);
    } finally {
      signal?.removeEventListener("abort", cancel);
      source.dispose();
    }
  }

  private async connect(): Promise<MessageTransports> {
    const child = await startProgram(this.launch, (line) => {
      this.log.error(line);
    });
    this.child = child;
    child.once("exit", (code, signal) => {
      this.log.info(`The server's process ended with ${code ?? signal ?? "nothing"}.`);
    });
    // The writer waits for its header to be gone before it writes the message, which would be long while an
    // editor starts and has its hands full: what is between takes both at once.
    const atOnce = new PassThrough();
    atOnce.pipe(child.stdin);
    const writer = new StreamMessageWriter(atOnce);
    const write = writer.write.bind(writer);
    const send: typeof write = (message) => write(unsealed(message));
    writer.write = async (message) => {
      writer.write = send;
      await send(message);
      this.listener.greeted();
    };
    return { reader: new StreamMessageReader(child.stdout), writer };
  }

  private died(error: unknown): void {
    if (this.over) return;
    this.over = true;
    this.notifications.dispose();
    this.listener.died(error);
  }
}

/** Logs what goes wrong between it and the server; the controller tells the person, in their words. */
class QuietClient extends LanguageClient {
  public override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

function selector(configuration: Configuration): { scheme: string; language?: string; pattern?: string }[] {
  const own = configuration.suffixes.map((suffix) => suffix.replace(/^\./, "")).filter((suffix) => /^[\w.-]+$/.test(suffix));
  return [
    { scheme: "file", language: "markdown" },
    { scheme: READABLE_SCHEME },
    { scheme: "file", pattern: `**/*.{${[...SUFFIXES, ...own].join(",")}}` },
  ];
}

function respelt(status: IndexStatus): IndexStatus {
  return { ...status, folder: sameSpelling(status.folder) };
}

function respeltResult(result: SearchResult): SearchResult {
  return { ...result, hits: result.hits.map(respeltHit), status: result.status.map(respelt) };
}

function respeltHit(hit: Hit): Hit {
  const { textDocument } = hit;
  return {
    ...hit,
    folder: sameSpelling(hit.folder),
    uri: sameSpelling(hit.uri),
    ...(textDocument === undefined ? {} : { textDocument: { ...textDocument, uri: sameSpelling(textDocument.uri) } }),
  };
}
