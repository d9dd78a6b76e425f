/** Work that is asked for faster than it can be done: only the newest matters. */

/** Starts a timer and returns how to stop it; `setTimeout` in life, a hand-turned clock in tests. */
export type Timer = (work: () => void, delayMs: number) => () => void;

export const realTimer: Timer = (work, delayMs) => {
  const handle = setTimeout(work, delayMs);
  return () => {
    clearTimeout(handle);
  };
};

/**
 * Runs `work` once `delayMs` passed without a newer question, and aborts what still runs for an
 * older one. Only the newest answer is delivered; what an aborted one gives or throws is nobody's.
 */
export class Latest<Question, Answer> {
  private stopTimer: () => void = () => undefined;
  private running: AbortController | undefined;
  private isWaiting = false;

  public constructor(
    private readonly work: (question: Question, signal: AbortSignal) => Promise<Answer>,
    private readonly deliver: (answer: Answer, question: Question) => void,
    private readonly fail: (error: unknown, question: Question) => void,
    private readonly timer: Timer = realTimer,
  ) {}

  public ask(question: Question, delayMs: number): void {
    this.cancel();
    this.isWaiting = true;
    this.stopTimer = this.timer(() => void this.run(question), delayMs);
  }

  /** Whether a question waits or is being answered. */
  public get isBusy(): boolean {
    return this.isWaiting || this.running !== undefined;
  }

  /** Drop the question that waits and the work that runs. */
  public cancel(): void {
    this.stopTimer();
    this.isWaiting = false;
    this.stopTimer = () => undefined;
    this.running?.abort();
    this.running = undefined;
  }

  private async run(question: Question): Promise<void> {
    const controller = new AbortController();
    this.isWaiting = false;
    this.running = controller;
    try {
      const answer = await this.work(question, controller.signal);
      if (!controller.signal.aborted) this.deliver(answer, question);
    } catch (error) {
      if (!controller.signal.aborted) this.fail(error, question);
    } finally {
      if (this.running === controller) this.running = undefined;
    }
  }
}
