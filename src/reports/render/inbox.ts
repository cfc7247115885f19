/** Messages of another thread in the order of their arrival, to be taken one by one. */
export class Inbox<Message extends object> {
  readonly #messages: Message[] = [];
  #waiting: { resolve: (message: Message) => void; reject: (reason: unknown) => void } | undefined;
  #failure: { readonly reason: unknown } | undefined;

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
    return (
      this.#messages.shift() ??
      new Promise<Message>((resolve, reject) => {
        this.#waiting = { resolve, reject };
      })
    );
  }

  /** No message will be taken any more. The first reason counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}
