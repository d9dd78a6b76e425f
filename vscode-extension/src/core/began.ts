/** When the extension's code began to run, in milliseconds of the process's own clock. Imported first of all. */
export const BEGAN_MS = performance.now();
