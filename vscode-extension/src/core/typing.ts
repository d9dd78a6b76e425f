/** Who types is answered after each key, except in a burst: then after its last. */

export class Typing {
  private last = -Infinity;

  public constructor(
    private readonly pauseMs: number,
    private readonly now: () => number,
  ) {}

  /** A key was typed: for how long to wait whether another one follows, in milliseconds. */
  public key(): number {
    const now = this.now();
    const isBurst = now - this.last < this.pauseMs;
    this.last = now;
    return isBurst ? this.pauseMs : 0;
  }
}
