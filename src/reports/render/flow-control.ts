/** Caller that waits for the other thread. */
interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Flow control credit for sending to the other thread, so that the slower one sets the pace. */
export class Credit {
  #left: number;
  #waiting: Waiting<void> | undefined;
  #failure: { readonly reason: unknown } | undefined;

  constructor(initial: number) {
    this.#left = initial;
  }

  /** Allows `count` more messages. */
  add(count: number): void {
    this.#left += count;
    if (this.#left <= 0) return;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  /** Waits for credit and uses one unit. One caller at a time. */
  async spend(): Promise<void> {
    if (this.#failure === undefined && this.#left <= 0) {
      await new Promise<void>((resolve, reject) => (this.#waiting = { resolve, reject }));
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    this.#left -= 1;
  }

  /** Ends sending: present and later callers of `spend` get the reason thrown. The first reason counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}

/** Queue of messages from the other thread, in the order of arrival. */
export class Inbox<Message extends object> {
  readonly #messages: Message[] = [];
  #waiting: Waiting<Message> | undefined;
  #failure: { readonly reason: unknown } | undefined;

  /** Passes a message to a waiting caller, or stores it. */
  put(message: Message): void {
    if (this.#waiting === undefined) {
      this.#messages.push(message);
      return;
    }
    this.#waiting.resolve(message);
    this.#waiting = undefined;
  }

  /** Takes the next message. One caller at a time. After a failure, throws its reason at once. */
  async take(): Promise<Message> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    return this.#messages.shift() ?? new Promise<Message>((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Ends receiving: present and later callers of `take` get the reason thrown. The first reason counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}
