import { describe, expect, it } from "vitest";
import { Crashes } from "../../src/core/crashes";
import { Latest } from "../../src/core/latest";
import { Clock, settled } from "./clock";

function searcher(): {
  latest: Latest<string, string>;
  clock: Clock;
  asked: Map<string, { signal: AbortSignal; answer: (text: string) => void; fail: (error: Error) => void }>;
  delivered: string[];
  failed: unknown[];
} {
  const clock = new Clock();
  const asked = new Map<string, { signal: AbortSignal; answer: (text: string) => void; fail: (error: Error) => void }>();
  const delivered: string[] = [];
  const failed: unknown[] = [];
  const latest = new Latest<string, string>(
    (question, signal) => new Promise((answer, fail) => asked.set(question, { signal, answer, fail })),
    (answer) => delivered.push(answer),
    (error) => failed.push(error),
    clock.timer,
  );
  return { latest, clock, asked, delivered, failed };
}

describe("only the newest question", () => {
  it("is asked, once typing rests", async () => {
    const { latest, clock, asked } = searcher();
    for (const text of ["g", "ga", "gar"]) {
      latest.ask(text, 40);
      await clock.turn(20);
    }
    expect([...asked.keys()]).toEqual([]);
    await clock.turn(20);
    expect([...asked.keys()]).toEqual(["gar"]);
  });

  it("is answered: an older one is aborted, and what it gives or throws is nobody's", async () => {
    const { latest, clock, asked, delivered, failed } = searcher();
    latest.ask("old", 0);
    await clock.turn(0);
    latest.ask("older", 0);
    await clock.turn(0);
    latest.ask("new", 0);
    await clock.turn(0);
    expect(asked.get("old")?.signal.aborted).toBe(true);
    asked.get("new")?.answer("new answer");
    asked.get("old")?.answer("old answer");
    asked.get("older")?.fail(new Error("cancelled"));
    await settled();
    expect(delivered).toEqual(["new answer"]);
    expect(failed).toEqual([]);
    expect(latest.isBusy).toBe(false);
  });

  it("may fail", async () => {
    const { latest, clock, asked, failed } = searcher();
    latest.ask("q", 0);
    expect(latest.isBusy).toBe(true);
    await clock.turn(0);
    asked.get("q")?.fail(new Error("no"));
    await settled();
    expect(failed).toHaveLength(1);
  });

  it("is dropped by a cancel, waiting or running", async () => {
    const { latest, clock, asked, delivered } = searcher();
    latest.ask("waiting", 40);
    latest.cancel();
    await clock.turn(100);
    expect(asked.size).toBe(0);
    latest.ask("running", 0);
    await clock.turn(0);
    latest.cancel();
    asked.get("running")?.answer("late");
    await settled();
    expect(delivered).toEqual([]);
  });
});

describe("crashes", () => {
  it("are followed by longer and longer waits, then by none", () => {
    let now = 0;
    const crashes = new Crashes(() => now);
    expect(crashes.add()).toEqual({ kind: "restart", delayMs: 500 });
    now += 1000;
    expect(crashes.add()).toEqual({ kind: "restart", delayMs: 2000 });
    now += 1000;
    expect(crashes.add()).toEqual({ kind: "giveUp" });
  });

  it("long ago are forgotten, and so are all when the person starts over", () => {
    let now = 0;
    const crashes = new Crashes(() => now);
    crashes.add();
    crashes.add();
    now += 200_000;
    expect(crashes.add()).toEqual({ kind: "restart", delayMs: 500 });
    crashes.add();
    crashes.forget();
    expect(crashes.add()).toEqual({ kind: "restart", delayMs: 500 });
  });
});
