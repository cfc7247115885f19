import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Journal } from '../support/test-sandbox.js';
import { graphqlAt, type GraphQLReply } from '../support/gateway.js';
import { argumentOf, createAccounts, deleteAccount, updateAccount } from '../support/job-requests.js';
import { readPdf } from '../support/pdf-text.js';
import { OPERATIONS, startWithKey, type PolledStatus, type StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { IN_TIME, type Site } from './site.js';

/** A job that an organisation has asked for. */
export interface Order {
  readonly kind: StartedKind;
  /** No other order has it; what the job makes or changes is called after it. */
  readonly name: string;
  readonly value: unknown;
  /** The mobiles that are changed, or reported on, in their order. */
  readonly mobiles: readonly number[];
}

export interface Accepted extends Order {
  readonly jobId: string;
}

export interface Finished extends Accepted {
  readonly outcome: PolledStatus;
}

/** Makes an order. @param name see {@link Order} @param mobiles at least one, for those of kinds that have any */
export type OrderForm = (name: string, mobiles: readonly number[]) => Order;

export const ACCOUNTS = 15;

/** A day on which every driver had the same record, with seven trips, so that a large report takes few drivers. */
export const SAME_FOR_ALL_DAY = '2026-11-18';
/** Enough drivers for a report in several parts, which S3 wants to be 5 MiB at least. */
const LARGE = 800;

/** Creates accounts, renames the first and removes the last one. */
export const accounts: OrderForm = (name) => {
  const changes = [updateAccount(`${name}-0`, { name: 'renamed' }), deleteAccount(`${name}-${ACCOUNTS - 1}`)];
  return { kind: 'accounts', name, value: [...createAccounts(name, ACCOUNTS), ...changes], mobiles: [] };
};

export const mobiles: OrderForm = (name, ids) => ({
  kind: 'mobiles',
  name,
  value: ids.map((id) => ({ id, name })),
  mobiles: ids,
});

export const report: OrderForm = (name, ids) => reportOf(name, ids, '2026-11-19');

export const largeReport: OrderForm = (name, ids) =>
  // oxfmt-ignore
  reportOf(name, Array.from({ length: LARGE }, (_, index) => ids[index % ids.length] ?? 0), SAME_FOR_ALL_DAY);

function reportOf(name: string, ids: readonly number[], day: string): Order {
  const drivers = ids.map((id, index) => ({
    mobileId: String(id),
    employeeCode: `${name}-E${index}`,
    employeeName: '運転 太郎',
  }));
  return { kind: 'reports', name, value: { date: `${day}T12:00:00+09:00`, drivers }, mobiles: ids };
}

const PAUSE_MS = 300;
const COME_AGAIN_CODES = new Set(['ServiceUnavailable', 'TooManyRequests']);

/** Gateways that jobs are ordered from, one or more. */
type OrderedFrom = Pick<Site, 'url' | 'bearer'>;

/** An organisation that orders jobs through whatever happens. */
export class Organisation {
  readonly accepted: Accepted[] = [];
  readonly finished: Finished[] = [];
  /** Orders whose answer was lost: their jobs may exist under unknown ids. */
  readonly doubtful: Order[] = [];
  /** Orders that were answered with "Try again later": they do not exist. */
  readonly refused: Order[] = [];
  /** Jobs that an operator cancelled or dropped, with the number of accounts' changes that they had made by their end. */
  readonly withdrawn = new Map<Order, number>();
  readonly #site: OrderedFrom;
  readonly #loginId: string;
  readonly #hasKeys: boolean;
  #ordered = 0;

  /** @param code its code @param loginId of a user who may order everything @param hasKeys its orders have keys */
  constructor(
    readonly code: string,
    site: OrderedFrom,
    loginId: string,
    hasKeys = false,
  ) {
    this.#site = site;
    this.#loginId = loginId;
    this.#hasKeys = hasKeys;
  }

  /**
   * Orders until it is accepted: the same again, if it has a key. Without one it is something else each time, because
   * the fate of the order before may be unknown.
   */
  async place(form: OrderForm, ids: readonly number[] = []): Promise<Accepted> {
    const next = (): Order => form(`${this.code}-${(this.#ordered += 1)}`, ids);
    let order = next();
    return waitFor(
      `an order of ${this.code} to be taken`,
      async () => {
        const key = this.#hasKeys ? order.name : undefined;
        const data = await this.#ask(startWithKey(order.kind), { value: argumentOf(order.value), key });
        if (typeof data === 'string') {
          if (!this.#hasKeys) {
            this[data].push(order);
            order = next();
          }
          return delay(PAUSE_MS, undefined);
        }
        const { jobId } = data['job'] as { jobId: string }; // as selected
        const accepted = { ...order, jobId };
        this.accepted.push(accepted);
        return accepted;
      },
      IN_TIME,
    );
  }

  async finish(order: Accepted): Promise<Finished> {
    const finished = { ...order, outcome: await this.outcomeOf(order) };
    this.finished.push(finished);
    return finished;
  }

  async withdraw(order: Accepted, journal: Journal): Promise<void> {
    await this.outcomeOf(order);
    this.withdrawn.set(order, accountChanges(order.name, journal).length);
  }

  /** Waits for its end, success or not. */
  outcomeOf(order: Accepted): Promise<PolledStatus> {
    return waitFor(
      `${order.name} to end`,
      async () => {
        await delay(PAUSE_MS);
        const data = await this.#ask(OPERATIONS[order.kind].poll, order);
        const status = typeof data === 'object' ? (data['status'] as PolledStatus) : undefined; // as selected
        return status?.completed === true && status;
      },
      IN_TIME,
    );
  }

  /** Orders the forms one after another, beginning anew behind the last one, until it is over; each at least once. */
  async orderUntil(over: AbortSignal, forms: readonly OrderForm[], ids: readonly number[]): Promise<void> {
    for (let turn = 0; turn < forms.length || !over.aborted; turn += 1) {
      const form = forms[turn % forms.length];
      if (form !== undefined) await this.finish(await this.place(form, ids));
    }
  }

  /** Every report can be downloaded, is a whole PDF and has every driver. */
  async expectReports(since: number): Promise<void> {
    for (const order of this.finished.slice(since).filter(({ kind }) => kind === 'reports')) {
      expect(order.outcome.errorList).toBeNull();
      // Links are good for five minutes.
      const polled = (await this.#ask(OPERATIONS.reports.poll, order)) as { status: PolledStatus }; // as selected
      const { downloadUrl } = polled.status;
      const response = await fetch(new URL(downloadUrl ?? '', this.#site.url));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      const { pages, pageCount } = await readPdf(new Uint8Array(await response.arrayBuffer()), -1);
      expect(pageCount).toBeGreaterThan(order.mobiles.length);
      expect(pages[0]).toContain(`${order.name}-E${order.mobiles.length - 1}`);
    }
  }

  /** @returns what became of it, when there is no answer, or one that says to come again */
  async #ask(query: string, variables: object): Promise<Record<string, unknown> | 'doubtful' | 'refused'> {
    const bearer = await this.#site.bearer({ loginId: this.#loginId });
    let reply: GraphQLReply;
    try {
      reply = await graphqlAt(this.#site.url)(query, variables, bearer);
    } catch {
      // The connection was cut.
      return 'doubtful';
    }
    const { status, data, errors = [], text } = reply;
    // The round robin was cut off, or the gateway takes no request.
    if (status === 502 || status === 503) return status === 502 ? 'doubtful' : 'refused';
    if (errors.length === 0 && data) return data;
    if (errors.length > 0 && errors.every(({ extensions }) => COME_AGAIN_CODES.has(extensions.code))) return 'refused';
    throw new Error(`${this.code}: neither an answer nor an outage: ${status} ${text}`);
  }
}

export function accountEffects(name: string, journal: Journal) {
  const ofAccounts = journal.effects().filter((effect) => effect.kind !== 'mobileUpdated');
  return ofAccounts.filter(({ loginId }) => loginId.startsWith(`${name}-`));
}

/** An update in doubt is repeated, and counts once. */
function accountChanges(name: string, journal: Journal): readonly string[] {
  const described = accountEffects(name, journal).map((effect) => `${effect.kind} ${effect.loginId}`);
  return described.filter((text, at) => !text.includes('Updated') || described[at - 1] !== text);
}

/**
 * Holds what became of all orders against what backend-api did: each finished one succeeded, and each item took effect
 * once. An order whose answer was lost has happened as a whole or not at all, and one that was refused not at all. One
 * that was withdrawn has done nothing since its end.
 */
export function expectEverythingOnce(organisations: readonly Organisation[], journal: Journal): void {
  const finished = organisations.flatMap((organisation) => organisation.finished);
  const doubtful = organisations.flatMap((organisation) => organisation.doubtful);
  const withdrawn = new Map(organisations.flatMap((organisation) => [...organisation.withdrawn]));
  const updates = journal.effects('mobileUpdated').map(({ id, patch }) => ({ id, name: patch.name ?? '' }));
  expect(finished.filter(({ outcome }) => outcome.status !== 'Success')).toEqual([]);
  const outcomes = new Map(finished.map(({ name, outcome }) => [name, outcome]));
  for (const order of [...finished, ...doubtful, ...withdrawn.keys()]) {
    const outcome = outcomes.get(order.name);
    const effects = accountEffects(order.name, journal);
    const called = updates.filter(({ name }) => name === order.name).map(({ id }) => id);
    if (outcome === undefined && effects.length + called.length === 0) continue;
    if (order.kind === 'accounts') {
      const all = [
        ...Array.from({ length: ACCOUNTS }, (_, index) => `userAccountCreated ${order.name}-${index}`),
        `userAccountUpdated ${order.name}-0`,
        `userAccountDeleted ${order.name}-${ACCOUNTS - 1}`,
      ];
      expect(accountChanges(order.name, journal)).toEqual(all.slice(0, withdrawn.get(order)));
      const created = effects.flatMap((effect) => (effect.kind === 'userAccountCreated' ? [String(effect.id)] : []));
      if (outcome !== undefined) expect(outcome.createdUserAccountId).toEqual(created);
    }
    if (order.kind === 'mobiles') expect(new Set(called)).toEqual(new Set(order.mobiles));
  }
  // Each mobile was called after its orders in turn, and never again after an earlier one.
  const wanted = finished.filter(({ kind }) => kind === 'mobiles');
  const unknown = new Set(doubtful.map(({ name }) => name));
  for (const mobile of new Set(wanted.flatMap((order) => order.mobiles))) {
    const names = updates.filter(({ id, name }) => id === mobile && !unknown.has(name)).map(({ name }) => name);
    const orders = wanted.filter((order) => order.mobiles.includes(mobile)).map(({ name }) => name);
    expect(names.filter((name, at) => names[at - 1] !== name)).toEqual(orders);
  }
  // Nothing was done without an order.
  const known = new Set([...finished, ...doubtful, ...withdrawn.keys()].map(({ name }) => name));
  // oxfmt-ignore
  const touched = journal.effects().map((effect) => (effect.kind === 'mobileUpdated' ? effect.patch.name : effect.loginId.replace(/-\d+$/, '')));
  expect(touched.filter((name) => !known.has(name ?? ''))).toEqual([]);
  expect(journal.contractViolations()).toEqual([]);
}
