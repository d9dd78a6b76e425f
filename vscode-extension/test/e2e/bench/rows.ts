import type { Page } from "playwright-core";

/** Long enough for any answer; rows that come later count as a miss of the floor by the next key. */
const QUIET_MS = 900;

/**
 * Press a key and give the milliseconds until the rows' text changed for the last time and was
 * painted; none when the same rows stay.
 */
export async function rowsAfterKey(page: Page, key: string): Promise<number[]> {
  // Listening comes first, as a call of its own: a key that nobody awaits is never measured.
  const measured = await page.evaluateHandle((quietMs) => {
    const list = document.querySelector(".quick-input-list");
    if (list === null) throw new Error("No picker is open.");
    const text = (): string => [...list.querySelectorAll(".monaco-list-row")].map((row) => row.textContent).join("\n");
    const times = new Promise<number[]>((resolve) => {
      const begin = (): void => {
        const began = performance.now();
        let [before, painted] = [text(), [] as number[]];
        const observer = new MutationObserver(() => {
          const now = text();
          if (now === before) return;
          before = now;
          requestAnimationFrame(() => { painted = [performance.now() - began]; });
        });
        observer.observe(list, { childList: true, subtree: true, characterData: true });
        setTimeout(() => { observer.disconnect(); resolve(painted); }, quietMs);
      };
      window.addEventListener("keydown", begin, { capture: true, once: true });
    });
    return { times };
  }, QUIET_MS);
  await page.keyboard.press(key);
  return measured.evaluate(({ times }) => times);
}
