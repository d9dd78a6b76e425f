import { beforeEach, describe, expect, it } from "vitest";
import { Passwords, PASSWORDS } from "../../src/core/passwords";
import type { UnlockParams } from "../../src/core/protocol";
import { Sealed, unsealed } from "../../src/core/sealed";

const PDF = "file:///home/me/papers/contract.pdf";

describe("passwords", () => {
  let kept: Map<string, string>;
  let sent: UnlockParams[];
  let passwords: Passwords;
  beforeEach(() => {
    kept = new Map();
    sent = [];
    passwords = new Passwords(
      {
        get: (key) => Promise.resolve(kept.get(key)),
        store: (key, value) => Promise.resolve(void kept.set(key, value)),
        delete: (key) => Promise.resolve(void kept.delete(key)),
      },
      (params) => {
        sent.push(params);
        return Promise.resolve({ opened: params.textDocument === undefined || params.passwords.includes("owl") });
      },
    );
  });
  const answering = (...answers: (string | undefined)[]) => {
    const asked: boolean[] = [];
    const ask = (wasWrong: boolean): Promise<string | undefined> => {
      asked.push(wasWrong);
      return Promise.resolve(answers.shift());
    };
    return { asked, ask };
  };

  it("are asked for until one opens the PDF, and only that one is remembered", async () => {
    const { asked, ask } = answering("cat", "owl");
    expect(await passwords.open(PDF, ask)).toBe(true);
    expect(asked).toEqual([false, true]);
    expect(kept.get(PASSWORDS)).toBe('["owl"]');
    expect(sent.map((params) => params.passwords)).toEqual([["cat"], ["owl"]]);
    expect(sent.every((params) => params.textDocument?.uri === PDF)).toBe(true);
  });

  it.each([[undefined], [""]])("are not asked for again by a person who gives up: %o", async (answer) => {
    const { asked, ask } = answering("cat", answer);
    expect(await passwords.open(PDF, ask)).toBe(false);
    expect(asked).toEqual([false, true]);
    expect(kept.size).toBe(0);
  });

  it("are given to each server, the newest first, and forgotten all at once", async () => {
    kept.set(PASSWORDS, '["wren", "owl"]');
    await passwords.open(PDF, answering("owl").ask);
    await passwords.give();
    await passwords.forget();
    await passwords.give();
    expect(sent.map((params) => params.passwords)).toEqual([["owl", "wren"], ["owl", "wren"], []]);
    expect(kept.size).toBe(0);
  });

  it("are as many as the server takes", async () => {
    kept.set(PASSWORDS, JSON.stringify(Array.from({ length: 100 }, (_, number) => `${number}`)));
    await passwords.open(PDF, answering("owl").ask);
    expect(sent[0]?.passwords.length).toBe(100);
    expect(sent[0]?.passwords[0]).toBe("owl");
  });

  it.each(["no JSON", "7", '[1, {"a": 2}]'])("are none where what is kept was written by something else: %s", async (stored) => {
    kept.set(PASSWORDS, stored);
    await passwords.give();
    expect(sent).toEqual([{ passwords: [] }]);
  });
});

describe("what is sealed", () => {
  const message = { jsonrpc: "2.0", method: "notekin/unlock", params: { passwords: [new Sealed("owl")], textDocument: { uri: PDF } } };

  it("is in no log, and reaches the server", () => {
    expect(JSON.stringify(message)).not.toContain("owl");
    expect(JSON.parse(JSON.stringify(unsealed(message)))).toEqual({ ...message, params: { ...message.params, passwords: ["owl"] } });
  });

  it.each([{ method: "exit" }, { id: 1, result: null }, { method: "a", params: [1] }, { method: "b", params: { passwords: 7 } }])("leaves other messages as they are: %o", (other) => {
    expect(unsealed(other)).toBe(other);
  });
});
