/** A bar of the server as the editor's notification wants it: increments instead of a percentage. */

export type ServerProgress =
  | { readonly kind: "begin"; readonly title: string; readonly message?: string; readonly percentage?: number; readonly cancellable?: boolean }
  | { readonly kind: "report"; readonly message?: string; readonly percentage?: number }
  | { readonly kind: "end"; readonly message?: string };

export interface Step {
  readonly increment?: number;
  readonly message?: string;
}

/** Turns percentages into increments; a bar never goes back. */
export class Increments {
  private percentage = 0;

  public step(value: { readonly message?: string; readonly percentage?: number }): Step {
    const percentage = Math.min(100, Math.max(this.percentage, value.percentage ?? 0));
    const increment = percentage - this.percentage;
    this.percentage = percentage;
    return {
      ...(increment > 0 ? { increment } : {}),
      ...(value.message === undefined ? {} : { message: value.message }),
    };
  }
}
