import { describe, expect, it } from "vitest";
import { Inquiry } from "../../src/core/inquiry";
import type { SearchResult } from "../../src/core/protocol";
import { Clock, settled } from "./clock";
import { aResult } from "./samples";

const LONG_MS = 10_000;

/** An inquiry whose answers are given by the test. */
class Bench {
  public readonly clock = new Clock();
  public readonly asked: string[] = [];
  public readonly shown: string[] = [];
  public revision = "1";
  private answer: (result: SearchResult) => void = () => undefined;
  private refuse: (error: Error) => void = () => undefined;
  public readonly inquiry = new Inquiry(
    {
      search: async (query) => {
        this.asked.push(query);
        return new Promise<SearchResult>((resolve, reject) => {
          this.answer = resolve;
          this.refuse = reject;
        });
      },
      revision: () => this.revision,
      asked: () => undefined,
      answered: ({ verdict }, isAgain) => this.shown.push(isAgain ? `${verdict} again` : verdict),
      failed: () => this.shown.push("failed"),
    },
    this.clock.timer,
    () => this.clock.now,
  );

  public async types(query: string): Promise<void> {
    await this.clock.turn(LONG_MS);
    this.inquiry.typed(query);
    await this.clock.turn(0);
  }

  public async answers(verdict: SearchResult["verdict"]): Promise<void> {
    this.answer(aResult({ verdict }));
    await settled();
  }

  public async fails(): Promise<void> {
    this.refuse(new Error("no server"));
    await settled();
  }

  public async refreshes(): Promise<void> {
    this.inquiry.refresh();
    await this.clock.turn(LONG_MS);
  }
}

describe("An inquiry", () => {
  it("does what was held with the answer to the whole query", async () => {
    const bench = new Bench();
    const done: string[] = [];
    await bench.types("ro");
    await bench.answers("notFound");
    await bench.types("rose");
    bench.inquiry.onceAnswered("rose", async () => { done.push(bench.shown.at(-1) ?? ""); return Promise.resolve(); });
    expect(done).toEqual([]);
    await bench.answers("found");
    expect(done).toEqual(["found"]);
  });

  it("forgets what was held when something else is typed, and not when its own query is put into the input", async () => {
    const bench = new Bench();
    const done: string[] = [];
    bench.inquiry.ask("rose");
    bench.inquiry.onceAnswered("rose", async () => { done.push("rose"); return Promise.resolve(); });
    await bench.types("rose");
    await bench.answers("found");
    bench.inquiry.onceAnswered("rosehip", async () => { done.push("rosehip"); return Promise.resolve(); });
    await bench.types("roses");
    await bench.answers("found");
    expect([bench.asked, done]).toEqual([["rose", "roses"], ["rose"]]);
  });

  it("has a new question after the mode or the scope changed", async () => {
    const bench = new Bench();
    await bench.types("rose");
    await bench.answers("found");
    bench.inquiry.askAnew();
    await bench.clock.turn(0);
    await bench.answers("found");
    expect([bench.asked, bench.shown]).toEqual([["rose", "rose"], ["found", "found"]]);
  });

  it.each([
    { what: "an incomplete answer", verdict: "incomplete", revision: "1", again: true },
    { what: "an answer of before a change", verdict: "notFound", revision: "2", again: true },
    { what: "an answer that holds", verdict: "notFound", revision: "1", again: false },
  ] as const)("is asked again, or not: $what", async ({ verdict, revision, again }) => {
    const bench = new Bench();
    await bench.types("rose");
    await bench.answers(verdict);
    bench.revision = revision;
    await bench.refreshes();
    await bench.answers("found");
    expect(bench.shown).toEqual(again ? [verdict, "found again"] : [verdict]);
  });

  it("is asked again after a change that came while it was answered", async () => {
    const bench = new Bench();
    await bench.types("rose");
    bench.revision = "2";
    await bench.refreshes();
    await bench.answers("notFound");
    await bench.clock.turn(LONG_MS);
    await bench.answers("found");
    expect([bench.asked, bench.shown]).toEqual([["rose", "rose"], ["notFound", "found again"]]);
  });

  it("is asked again by itself while its answer is incomplete, more and more seldom", async () => {
    const bench = new Bench();
    const asked: number[] = [];
    await bench.types("rose");
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await bench.answers("incomplete");
      await bench.clock.turn(1000);
      asked.push(bench.asked.length);
    }
    expect(asked.at(5)).toBeGreaterThan(2);
    expect(asked.at(-1)).toBeLessThan(12);
    await bench.answers("found");
    await bench.clock.turn(LONG_MS);
    await bench.clock.turn(LONG_MS);
    const n = bench.asked.length;
    await bench.answers("found");
    await bench.clock.turn(LONG_MS);
    await bench.clock.turn(LONG_MS);
    expect(bench.asked.length).toBe(n);
  });

  it("is asked again once there is a server", async () => {
    const bench = new Bench();
    await bench.types("rose");
    await bench.fails();
    await bench.refreshes();
    await bench.answers("found");
    expect(bench.shown).toEqual(["failed", "found"]);
  });

  it("is over with an empty query", async () => {
    const bench = new Bench();
    await bench.types("rose");
    await bench.types("");
    await bench.answers("found");
    bench.revision = "2";
    await bench.refreshes();
    expect([bench.asked, bench.shown]).toEqual([["rose"], []]);
  });
});
