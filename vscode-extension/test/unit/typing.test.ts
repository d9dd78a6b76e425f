import { expect, it } from "vitest";
import { Typing } from "../../src/core/typing";

it.each([
  { what: "somebody types", keys: [1000, 1150, 1260, 1400], waits: [0, 0, 0, 0] },
  { what: "a key is held", keys: [1000, 1030, 1060, 1090], waits: [0, 40, 40, 40] },
  { what: "a burst is over", keys: [1000, 1010, 1050], waits: [0, 40, 0] },
])("a search waits for more keys only in a burst: $what", ({ keys, waits }) => {
  const times = [...keys];
  const typing = new Typing(40, () => times.shift() ?? 0);
  expect(keys.map(() => typing.key())).toEqual(waits);
});
