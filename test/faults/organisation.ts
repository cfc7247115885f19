import { setTimeout as delay } from 'node:timers/promises';
import type { ShownError } from '../support/gateway.js';
import { OPERATIONS, type PolledStatus } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import type { FinishedOrder, Order, OrderForm } from './orders.js';

/** Where and as whom a front end asks. */
export interface Access {
  readonly url: string;
  /** An `Authorization` header that is valid now. */
  bearer(): Promise<string>;
}

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly ShownError[];
}

/** Far more than a request may take. */
const REQUEST_MS = 120_000;
const PAUSE_MS = 500;
/** Far more than a job takes that waits for everything there is to wait for. */
const JOB_MS = 300_000;

/** What round robin and gateways answer when the request may succeed later. */
const COME_AGAIN_STATUS = new Set([502, 503]);
const COME_AGAIN_CODES = new Set(['ServiceUnavailable', 'TooManyRequests']);

/** An organisation that goes on ordering jobs and waits for each. */
export class Organisation {
  readonly finished: FinishedOrder[] = [];
  /** Orders whose answer was lost, or that were refused halfway: their jobs may exist, and nobody knows their ids. */
  readonly doubtful: Order[] = [];
  /** Jobs that were accepted. */
  accepted = 0;
  readonly #code: string;
  readonly #access: Access;
  #ordered = 0;

  constructor(code: string, access: Access) {
    this.#code = code;
    this.#access = access;
  }

  /** Orders the forms one after another, beginning anew behind the last one, until it is over; each at least once. */
  async orderUntil(over: AbortSignal, forms: readonly OrderForm[], mobiles: readonly number[]): Promise<void> {
    for (let turn = 0; turn < forms.length || !over.aborted; turn += 1) {
      const form = forms[turn % forms.length];
      if (form !== undefined) await this.#run(form, mobiles);
    }
  }

  async #run(form: OrderForm, mobiles: readonly number[]): Promise<void> {
    const { order, jobId } = await this.#place(form, mobiles);
    const outcome = await waitFor(
      `job ${jobId} of ${this.#code} to end`,
      async () => {
        await delay(PAUSE_MS);
        const data = await this.#ask<{ status: PolledStatus }>(OPERATIONS[order.kind].poll, { jobId });
        return data?.status.completed === true && data.status;
      },
      JOB_MS,
    );
    this.finished.push({ ...order, jobId, outcome });
  }

  /** Orders until there is an answer, each time something else: what became of the order before nobody knows. */
  async #place(form: OrderForm, mobiles: readonly number[]): Promise<{ order: Order; jobId: string }> {
    return waitFor(
      `an order of ${this.#code} to be taken`,
      async () => {
        this.#ordered += 1;
        const order = form(this.#code, `${this.#code}-${this.#ordered}`, mobiles);
        const { start } = OPERATIONS[order.kind];
        const data = await this.#ask<{ job: { jobId: string } }>(start, { value: order.value });
        if (data !== undefined) {
          this.accepted += 1;
          return { order, jobId: data.job.jobId };
        }
        this.doubtful.push(order);
        return delay(PAUSE_MS, undefined);
      },
      JOB_MS,
    );
  }

  /** The link to a report of this organisation that was finished. */
  async downloadUrl({ jobId }: FinishedOrder): Promise<string> {
    return waitFor('a link', async () => {
      const data = await this.#ask<{ status: PolledStatus }>(OPERATIONS.reports.poll, { jobId });
      return data?.status.downloadUrl;
    });
  }

  /** @returns undefined when there is no answer, or one that says to come again */
  async #ask<Data>(query: string, variables: object): Promise<Data | undefined> {
    const reply = await this.#send(JSON.stringify({ query, variables }));
    if (reply === undefined || COME_AGAIN_STATUS.has(reply.status)) return undefined;
    if (reply.status !== 200) throw new Error(`${this.#code}: HTTP ${reply.status}: ${reply.text}`);
    const { data, errors = [] } = JSON.parse(reply.text) as Result; // a test's view
    if (errors.length === 0) return data as Data; // as the caller selected
    if (errors.every(({ extensions }) => COME_AGAIN_CODES.has(extensions.code))) return undefined;
    throw new Error(`${this.#code}: ${reply.text}`);
  }

  /** @returns undefined when the connection is cut */
  async #send(body: string): Promise<{ readonly status: number; readonly text: string } | undefined> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: await this.#access.bearer(),
    };
    const signal = AbortSignal.timeout(REQUEST_MS);
    try {
      const response = await fetch(`${this.#access.url}/graphql`, { method: 'POST', headers, body, signal });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  }
}
