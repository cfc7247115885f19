import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';
import { anyRequests, LAST_REQUEST } from '../support/any-requests.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { unservedSchema } from '../support/job-table.js';
import { converse } from '../support/raw-conversation.js';
import { OPERATIONS } from '../support/started-jobs.js';
import type { Access } from './organisation.js';
import { POISON } from './site.js';
import { together } from './together.js';

/** What a hostile organisation knows. */
export interface HostileAccess extends Access {
  /** The queue function's, which calls back for its jobs. */
  readonly apiKey: string;
  /** Past the load balancer, which would not let everything through. */
  gatewayUrls(): readonly string[];
  /** Ids of jobs of other organisations. */
  jobIds(): readonly string[];
}

/** Its code, which no backend knows: whatever it orders, every item is refused. */
export const HOSTILE = 'mallory';

/** With the right one its requests could name any organisation. */
const GUESSED_KEY = 'guessed-callback-key';
const GUESSED_TOKEN = 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl';

const MOBILES_OF = 'query($tagIds: [Int!]) { mobiles(tagIds: $tagIds) { edges { node { id } } } }';

const MEBIBYTE = 1024 * 1024;
/** Entries of a list that makes a body nearly as large as it may be. */
const LARGE_LIST = 180_000;
/** Visitors at a time. */
const CROWD = 10;

const PIPELINE = 20;
const PAUSE_MS = 400;
const ITEMS = 40;

/** Statuses of a gateway, or of what is in front of one that is gone, that are no fault of ours. */
const ALLOWED = (status: number): boolean => status < 500 || [501, 502, 503].includes(status);

/** An organisation that sends what nobody should, all the time, and orders nonsense. */
export class HostileOrganisation {
  /** What it should not have got. */
  readonly wrongs: string[] = [];
  requests = 0;
  /** What it called back for; other organisations may have jobs under the same ids. */
  readonly #ownJobIds = new Set<string>();
  readonly #random: Random;
  readonly #raw = anyRequests(unservedSchema(), { apiKey: GUESSED_KEY, authorization: GUESSED_TOKEN });
  readonly #access: HostileAccess;
  readonly #tooMany: readonly object[];

  constructor(seed: number, access: HostileAccess) {
    this.#random = randomFrom(`${seed}/${HOSTILE}`);
    this.#access = access;
    this.#tooMany = this.#nonsenseAccounts(1_001);
  }

  async attackUntil(over: AbortSignal): Promise<void> {
    await together(
      [() => this.#sendBytes(), () => this.#ask(), () => this.#callBack(), () => this.#comeAsCrowd()].map(
        async (attack) => {
          while (!over.aborted) {
            await attack();
            await delay(PAUSE_MS);
          }
        },
      ),
    );
  }

  /** Bytes that are HTTP at best in part. */
  async #sendBytes(): Promise<void> {
    const isBroken = this.#random.chance(0.5);
    const one = isBroken ? this.#raw.broken : this.#raw.framed;
    const some = fc.sample(one, { seed: this.#random.integer(0, 2 ** 31 - 1), numRuns: isBroken ? 1 : PIPELINE });
    const bytes = some.join('') + (isBroken ? '' : LAST_REQUEST);
    const url = this.#pick(this.#access.gatewayUrls());
    const statuses = await converse(url, bytes).then(
      (conversation) => conversation.statuses,
      (error: unknown) => {
        if (isExcused(error)) return [];
        throw error;
      },
    );
    this.requests += statuses.length;
    for (const status of statuses) this.#note(status, bytes);
  }

  /** Well-formed operations that are too large, nonsense, or none of its business. */
  async #ask(): Promise<void> {
    const foreign = this.#pick(this.#access.jobIds());
    const attack = this.#random.pick<{ query: string; variables?: object }>([
      { query: `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: serviceVersion`).join(' ')} }` },
      { query: `{ mobiles { ${'edges { node { tags { id '.repeat(8)}${'} '.repeat(32)}` },
      { query: OPERATIONS.accounts.start, variables: { value: this.#tooMany } },
      { query: OPERATIONS.accounts.start, variables: { value: this.#nonsenseAccounts(ITEMS) } },
      { query: OPERATIONS.mobiles.start, variables: { value: [{ id: 1, name: '\ud800' }] } },
      { query: OPERATIONS.mobiles.start, variables: { value: [{ id: 2 ** 31 - 1, name: 'nonsense' }] } },
      { query: OPERATIONS.reports.start, variables: { value: { date: '0000-00-00', drivers: [] } } },
      { query: MOBILES_OF, variables: { tagIds: Array(LARGE_LIST).fill(2 ** 31 - 1) } },
      { query: '{ serviceVersion }', variables: { text: 'x'.repeat(3 * MEBIBYTE) } },
      { query: OPERATIONS.accounts.poll, variables: { jobId: foreign } },
      { query: OPERATIONS.mobiles.poll, variables: { jobId: foreign } },
      { query: OPERATIONS.reports.poll, variables: { jobId: foreign } },
    ]);
    const text = await this.#send('/graphql', attack, { authorization: await this.#access.bearer() });
    const seen = text.includes(`"jobId":"${foreign}"`);
    if (seen && !this.#ownJobIds.has(foreign)) this.wrongs.push(`it saw a foreign job: ${text}`);
  }

  /** Callbacks for jobs of its own, some of them under ids that other organisations have. */
  async #callBack(): Promise<void> {
    const jobId = this.#random.chance(0.3) ? this.#pick(this.#access.jobIds()) || randomUUID() : randomUUID();
    this.#ownJobIds.add(jobId);
    const [path, body] = this.#random.pick<[string, object]>([
      [USER_ACCOUNTS, this.#nonsenseAccounts(ITEMS)],
      [MOBILES, Array.from({ length: ITEMS }, (_, index) => ({ id: index + 1, name: 'nonsense' }))],
      [
        DRIVING_REPORT,
        { date: '2026-11-19T00:00:00Z', drivers: [{ mobileId: '1', employeeCode: 'x', employeeName: 'x' }] },
      ],
      [DRIVING_REPORT, { date: 'never', drivers: 'nobody' }],
      [MOBILES, { items: [] }],
      [USER_ACCOUNTS, this.#largeAccounts()],
      [MOBILES, [{ id: 1, name: 'x'.repeat(6 * MEBIBYTE) }]],
    ]);
    await this.#send(path, body, { 'x-api-key': this.#access.apiKey, ...jobHeaders(jobId, HOSTILE) });
  }

  /** Logins of an account that backend-api fails over, and of nobody, each from another address. */
  async #comeAsCrowd(): Promise<void> {
    const logIn = (): Promise<string> => {
      const loginId = this.#random.chance(0.5) ? POISON : randomUUID();
      const query = `mutation { userLogin(loginId: "${loginId}", password: "guess") { otpRequired } }`;
      const url = this.#pick(this.#access.gatewayUrls());
      return this.#send('/graphql', { query }, { 'x-forwarded-for': this.#address() }, url);
    };
    await Promise.all(Array.from({ length: CROWD }, logIn));
  }

  #address(): string {
    return Array.from({ length: 4 }, () => this.#random.integer(1, 254)).join('.');
  }

  /** Nearly as large as a body may be. */
  #largeAccounts(): object[] {
    const vptGrps = Array.from({ length: 1_000 }, (_, index) => `group ${index} ${'x'.repeat(80)}`);
    return Array.from({ length: ITEMS }, (_, index) => updateAccount(`demo-${index}`, { vptGrps }));
  }

  #nonsenseAccounts(count: number): object[] {
    const make = [createAccount, updateAccount, deleteAccount];
    return Array.from({ length: count }, (_, index) =>
      (make[this.#random.integer(0, 2)] ?? createAccount)(`demo-${index}`),
    );
  }

  async #send(path: string, body: object, headers: Record<string, string>, url = this.#access.url): Promise<string> {
    this.requests += 1;
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      this.#note(response.status, `${path} ${text}`);
      return text;
    } catch {
      // Whoever served it was killed.
      return '';
    }
  }

  #note(status: number, what: string): void {
    if (!ALLOWED(status)) this.wrongs.push(`${status} after ${what}`);
  }

  #pick(choices: readonly string[]): string {
    return choices[this.#random.integer(0, choices.length - 1)] ?? '';
  }
}

/** The gateway was killed, or it waits (30 s) for the rest of a body that never comes. */
function isExcused(error: unknown): boolean {
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string }; // its class is of another realm under Jest
  return code === 'ECONNREFUSED' || message.startsWith('The connection stayed open');
}
