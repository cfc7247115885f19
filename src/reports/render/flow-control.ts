/** Whoever waits for the other thread. */
interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Counts what may be sent to the other thread, so that the slower one sets the pace. */
export class Credit {
  #left: number;
  #waiting: Waiting<void> | undefined;
  #failure: { readonly reason: unknown } | undefined;

  constructor(initial: number) {
    this.#left = initial;
  }

  /** Allows so many more. */
  add(count: number): void {
    this.#left += count;
    if (this.#left <= 0) return;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  /** Waits until something may be sent and takes its place. One caller at a time. */
  async spend(): Promise<void> {
    if (this.#failure === undefined && this.#left <= 0) {
      await new Promise<void>((resolve, reject) => (this.#waiting = { resolve, reject }));
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    this.#left -= 1;
  }

  /** Nothing will be sent any more: whoever waits, now or later, gets the reason thrown. The first one counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}

/** Messages of the other thread in the order of their arrival, to be taken one by one. */
export class Inbox<Message extends object> {
  readonly #messages: Message[] = [];
  #waiting: Waiting<Message> | undefined;
  #failure: { readonly reason: unknown } | undefined;

  /** Hands a message to whoever waits, or keeps it. */
  put(message: Message): void {
    if (this.#waiting === undefined) {
      this.#messages.push(message);
      return;
    }
    this.#waiting.resolve(message);
    this.#waiting = undefined;
  }

  /** The next message. One caller at a time. After a failure its reason is thrown, at once. */
  async take(): Promise<Message> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    return this.#messages.shift() ?? new Promise<Message>((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** No message will be taken any more: whoever waits, now or later, gets the reason thrown. The first one counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}
