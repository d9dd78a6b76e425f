/** Secrets on their way to the server: the log of messages, which a person can turn on, must not hold them. */

/** A secret that is no part of its JSON until it is unsealed. */
export class Sealed {
  readonly #secret: string;

  public constructor(secret: string) {
    this.#secret = secret;
  }

  public toJSON(): string {
    return "(secret)";
  }

  public open(): string {
    return this.#secret;
  }
}

/** The message as it goes to the server, after it was logged. */
export function unsealed<Message>(message: Message): Message {
  const { params } = message as { params?: { passwords?: unknown } };
  if (!Array.isArray(params?.passwords)) return message;
  const passwords = params.passwords.map((each: unknown) => (each instanceof Sealed ? each.open() : each));
  return { ...message, params: { ...params, passwords } };
}
