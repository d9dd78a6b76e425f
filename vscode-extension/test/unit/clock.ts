/** A clock turned by hand. */

import type { Timer } from "../../src/core/latest";

export class Clock {
  private works: { work: () => void; at: number }[] = [];
  public now = 0;

  public readonly timer: Timer = (work, delayMs) => {
    const entry = { work, at: this.now + delayMs };
    this.works.push(entry);
    return () => {
      this.works = this.works.filter((one) => one !== entry);
    };
  };

  public async turn(ms: number): Promise<void> {
    this.now += ms;
    const due = this.works.filter((one) => one.at <= this.now);
    this.works = this.works.filter((one) => one.at > this.now);
    for (const { work } of due) work();
    await settled();
  }
}

/** Everything that was waiting for a promise went on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
