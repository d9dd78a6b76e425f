/** Values that tests begin with. */

import type { Hit, IndexStatus, SearchResult } from "../../src/core/protocol";

export const VAULT = "file:///home/me/notes";

export function aHit(change: Partial<Hit> = {}): Hit {
  return {
    folder: VAULT,
    chunkId: "garden/soil.md#0",
    uri: `${VAULT}/garden/soil.md`,
    range: { start: { line: 4, character: 0 }, end: { line: 6, character: 3 } },
    title: "Soil",
    headings: ["Soil", "Feeding it"],
    text: "Compost feeds the soil.\nWorms do the rest.\nYes",
    highlights: [{ start: 24, end: 29 }],
    score: 0.8123,
    ...change,
  };
}

export function aStatus(change: Partial<IndexStatus> = {}): IndexStatus {
  return {
    folder: VAULT,
    phase: "idle",
    notes: { total: 1873, indexed: 1873, pending: 0, failed: 0, excluded: 2 },
    chunks: { total: 9000, embedded: 9000, pending: 0 },
    model: { name: "all-MiniLM-L6-v2", dim: 384, fingerprint: "f" },
    revision: 1,
    failures: [],
    ...change,
  };
}

export function aResult(change: Partial<SearchResult> = {}): SearchResult {
  return { verdict: "found", hits: [aHit()], status: [aStatus()], tookMs: 3, ...change };
}
