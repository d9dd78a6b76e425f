/** Passwords of PDFs: asked for, tried, and remembered where the editor keeps secrets. */

import type { UnlockParams, UnlockResult } from "./protocol";

/** What is used of the editor's secret storage. */
export interface SecretPlace {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

export const PASSWORDS = "pdf.passwords";
/** As many as the server takes. */
const MOST = 100;

export class Passwords {
  public constructor(
    private readonly place: SecretPlace,
    private readonly unlock: (params: UnlockParams) => Promise<UnlockResult>,
  ) {}

  /** Give the server what is remembered, in the place of what it was given before. */
  public async give(): Promise<void> {
    await this.unlock({ passwords: [...(await this.remembered())] });
  }

  /** Ask until a password opens the PDF, and remember that one; false when the person gives up. */
  public async open(uri: string, ask: (wasWrong: boolean) => PromiseLike<string | undefined>): Promise<boolean> {
    let wasWrong = false;
    for (;;) {
      const password = await ask(wasWrong);
      if (password === undefined || password === "") return false;
      const others = (await this.remembered()).filter((other) => other !== password);
      const passwords = [password, ...others].slice(0, MOST);
      if ((await this.unlock({ passwords, textDocument: { uri } })).opened) {
        await this.place.store(PASSWORDS, JSON.stringify(passwords));
        return true;
      }
      wasWrong = true;
    }
  }

  /** Forget them all; whoever hears of changed secrets gives the servers what is left. */
  public async forget(): Promise<void> {
    await this.place.delete(PASSWORDS);
  }

  private async remembered(): Promise<readonly string[]> {
    const stored = (await this.place.get(PASSWORDS)) ?? "[]";
    try {
      const passwords: unknown = JSON.parse(stored);
      return Array.isArray(passwords) ? passwords.filter((each) => typeof each === "string") : [];
    } catch {
      return [];
    }
  }
}
