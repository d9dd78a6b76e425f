/** What is asked while one types: which query, which answer is there to it, and when to ask again. */

import { Latest, realTimer, type Timer } from "./latest";
import type { SearchResult } from "./protocol";
import { Typing } from "./typing";

/** Who asks and shows what comes of it. */
export interface Asker {
  search(query: string, signal: AbortSignal): Promise<SearchResult>;
  /** Another one whenever the index holds something else, or the server is another. */
  revision(): string;
  /** A query was asked; nothing will be answered to an empty one. */
  asked(query: string): void;
  /** `isAgain`: it is another answer to the question whose answer is shown. */
  answered(result: SearchResult, isAgain: boolean): void;
  failed(error: unknown): void;
}

const BURST_MS = 40;
const REFRESH_MS = 600;
/** How often what it is that an answer lacks is waited for twice as long as before. */
const N_DOUBLED = 4;

export class Inquiry {
  private readonly typing: Typing;
  private readonly asking: Latest<string, SearchResult>;
  /** The query that was asked last, and the revision at that time. */
  private query = "";
  private revision = "";
  /** The query whose answer is shown, and that answer. */
  private answered = "";
  private result: SearchResult | undefined;
  /** Whether there is no answer because the server could not be asked. */
  private hasFailed = false;
  private stopWaiting: () => void = () => undefined;
  /** How many incomplete answers there were to the query. */
  private nIncomplete = 0;
  /** What the person wants to be done with the answer that is on its way. */
  private held: (() => Promise<void>) | undefined;

  public constructor(
    private readonly asker: Asker,
    private readonly timer: Timer = realTimer,
    now: () => number = Date.now,
  ) {
    this.typing = new Typing(BURST_MS, now);
    this.asking = new Latest<string, SearchResult>(
      (query, signal) => asker.search(query, signal),
      (result, query) => { this.deliver(result, query); },
      (error) => { this.fail(error); },
      timer,
    );
  }

  /** The input holds this; it is asked unless it was already, by whoever put it there. */
  public typed(query: string): void {
    if (query === this.query) return;
    this.held = undefined;
    this.ask(query, this.typing.key());
  }

  public ask(query: string, delayMs = 0): void {
    this.stopWaiting();
    if (query !== this.query) this.nIncomplete = 0;
    this.query = query;
    this.revision = this.asker.revision();
    this.hasFailed = false;
    if (query === "") {
      this.asking.cancel();
      this.answered = "";
      this.result = undefined;
    } else {
      this.asking.ask(query, delayMs);
    }
    this.asker.asked(query);
  }

  /** Ask the same in another way, as a new question. */
  public askAnew(): void {
    this.result = undefined;
    this.ask(this.query);
  }

  /** The server or its index moved on: ask again where there is no answer, an incomplete or an old one. */
  public refresh(): void {
    if (this.asking.isBusy) return;
    if (this.hasFailed) this.ask(this.query);
    else if (this.result?.verdict === "incomplete" || this.isOld) this.ask(this.query, REFRESH_MS);
  }

  /** Who types and accepts in one go means the rows of the whole query, not those of its beginning. */
  public onceAnswered(query: string, act: () => Promise<void>): void {
    if (query === this.answered) void act();
    else this.held = act;
  }

  public cancel(): void {
    this.stopWaiting();
    this.asking.cancel();
  }

  private get isOld(): boolean {
    return this.result !== undefined && this.revision !== this.asker.revision();
  }

  private deliver(result: SearchResult, query: string): void {
    const isAgain = query === this.answered && this.result !== undefined;
    const { held } = this;
    this.answered = query;
    this.result = result;
    this.held = undefined;
    this.asker.answered(result, isAgain);
    void held?.();
    if (this.isOld) this.ask(query, REFRESH_MS);
    else if (result.verdict === "incomplete") this.wait();
  }

  /** Not all that an answer lacks is told when it comes: the model, for one, is loaded in silence. */
  private wait(): void {
    this.stopWaiting = this.timer(() => { this.refresh(); }, REFRESH_MS * 2 ** Math.min(this.nIncomplete, N_DOUBLED));
    this.nIncomplete += 1;
  }

  private fail(error: unknown): void {
    this.result = undefined;
    this.hasFailed = true;
    this.asker.failed(error);
  }
}
