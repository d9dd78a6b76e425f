/** How long the extension keeps the person waiting for its server. */

/** Milliseconds of the extension's own, from the moment the editor activates it. */
export interface Laps {
  /** Reading, compiling and evaluating the code. */
  readonly loading: number;
  /** From then on. */
  readonly activating: number;
}

/** Started where it is made. */
export class Stopwatch {
  private readonly began = performance.now();
  private loaded = this.began;
  private isOver = false;

  public loads(): void {
    this.loaded = performance.now();
  }

  /** The laps until now; undefined when it was stopped before. */
  public stop(): Laps | undefined {
    if (this.isOver) return undefined;
    this.isOver = true;
    return { loading: this.loaded - this.began, activating: performance.now() - this.loaded };
  }
}
