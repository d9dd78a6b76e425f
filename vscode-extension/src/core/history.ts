/** What was searched before, the newest first. */

export const N_REMEMBERED = 20;

/** Put a query in front; one that only began another is replaced by it. */
export function remember(history: readonly string[], query: string, limit = N_REMEMBERED): string[] {
  const text = query.trim();
  if (text === "") return [...history];
  return [text, ...history.filter((old) => old !== text)].slice(0, limit);
}

/** What is stored may come from another version: whatever is no list of words is nothing. */
export function readHistory(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((one): one is string => typeof one === "string").slice(0, N_REMEMBERED) : [];
}
