/** How long the extension keeps the person waiting for its server. Imported first of all. */

const BEGAN_MS = performance.now();

/** Milliseconds of the extension's own; the editor's, between loading and activating it, are left out. */
export interface Laps {
  /** Evaluating the code, from its first line to its last. */
  readonly loading: number;
  /** From `activate` on. */
  readonly activating: number;
}

/** Made once everything is loaded. */
export class Stopwatch {
  private readonly loading = performance.now() - BEGAN_MS;
  private activatedMs: number | undefined;

  public activates(): void {
    this.activatedMs = performance.now();
  }

  /** The laps until now; undefined when it was stopped before, or nothing was activated. */
  public stop(): Laps | undefined {
    if (this.activatedMs === undefined) return undefined;
    const laps = { loading: this.loading, activating: performance.now() - this.activatedMs };
    this.activatedMs = undefined;
    return laps;
  }
}
