/** Where things are in the checkout. */

import path from "node:path";

export const EXTENSION = path.resolve(import.meta.dirname, "../../..");
export const ROOT = path.resolve(EXTENSION, "..");
export const SAMPLES = path.join(ROOT, "sample-vault");
/** What a run makes; gone when the next one begins. */
export const WORK = path.join(EXTENSION, ".e2e/work");
/** Screenshots and logs of what failed. */
export const KEPT = path.join(EXTENSION, ".e2e/failures");
