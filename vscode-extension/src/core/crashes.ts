/** When to start a server again that ended by itself. */

export interface Policy {
  /** So many crashes within the window and it is left alone. */
  readonly nCrashes: number;
  readonly windowMs: number;
  readonly firstDelayMs: number;
}

export const POLICY: Policy = { nCrashes: 3, windowMs: 180_000, firstDelayMs: 500 };

export type Decision = { readonly kind: "restart"; readonly delayMs: number } | { readonly kind: "giveUp" };

/** Remembers crashes; every restart waits four times as long as the one before. */
export class Crashes {
  private times: readonly number[] = [];

  public constructor(
    private readonly now: () => number,
    private readonly policy: Policy = POLICY,
  ) {}

  public add(): Decision {
    const now = this.now();
    this.times = [...this.times.filter((time) => now - time < this.policy.windowMs), now];
    if (this.times.length >= this.policy.nCrashes) return { kind: "giveUp" };
    return { kind: "restart", delayMs: this.policy.firstDelayMs * 4 ** (this.times.length - 1) };
  }

  /** The person starts over. */
  public forget(): void {
    this.times = [];
  }
}
