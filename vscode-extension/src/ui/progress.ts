/** The server's bars as notifications that can be cancelled: for a first index, or one asked for. */

import * as vscode from "vscode";
import { Increments, type ServerProgress } from "../core/progress";

interface Bar {
  readonly increments: Increments;
  report: (value: { increment?: number; message?: string }) => void;
  end: () => void;
}

export class Notifications implements vscode.Disposable {
  private readonly bars = new Map<string | number, Bar>();

  public constructor(private readonly cancel: (token: string | number) => void) {}

  public handle(token: string | number, value: ServerProgress): void {
    switch (value.kind) {
      case "begin":
        this.begin(token, value);
        break;
      case "report": {
        const bar = this.bars.get(token);
        bar?.report(bar.increments.step(value));
        break;
      }
      case "end":
        this.end(token);
        break;
    }
  }

  public dispose(): void {
    for (const token of [...this.bars.keys()]) this.end(token);
  }

  private begin(token: string | number, value: ServerProgress & { kind: "begin" }): void {
    if (this.bars.has(token)) return;
    const bar: Bar = { increments: new Increments(), report: () => undefined, end: () => undefined };
    this.bars.set(token, bar);
    const ended = new Promise<void>((resolve) => {
      bar.end = resolve;
    });
    const options = { location: vscode.ProgressLocation.Notification, title: value.title, cancellable: value.cancellable ?? false };
    void vscode.window.withProgress(options, (progress, cancelled) => {
      bar.report = (step) => {
        progress.report(step);
      };
      progress.report(bar.increments.step(value));
      cancelled.onCancellationRequested(() => {
        this.cancel(token);
        this.end(token);
      });
      return ended;
    });
  }

  private end(token: string | number): void {
    this.bars.get(token)?.end();
    this.bars.delete(token);
  }
}
