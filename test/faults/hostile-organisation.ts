import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';
import { postJson, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import {
  MOBILES,
  USER_ACCOUNTS,
  argumentOf,
  createAccounts,
  jobHeaders,
  updateAccount,
} from '../support/job-requests.js';
import { OPERATIONS } from '../support/started-jobs.js';
import { CALLBACKS } from '../support/callbacks.js';
import type { Site } from './site.js';

/** Its code, which no backend knows: whatever it orders, every item is refused. */
const HOSTILE = 'mallory';
/** An account that does not exist, over which backend-api fails and over nothing else. */
export const POISON = 'poison';

const MEBIBYTE = 1024 * 1024;
/** Entries of a list that makes a body nearly as large as it may be. */
const LARGE_LIST = 180_000;
const CROWD = 10;

/** Statuses that are a fault of ours; 502 and 503 are those of what is in front of a gateway that is gone. */
const isWrong = (status: number): boolean => status >= 500 && ![501, 502, 503].includes(status);

/**
 * An organisation that sends requests too large, and orders nonsense, all the time. Bytes that are no HTTP are those of
 * `test/security/any-bytes.test.ts`.
 */
export class HostileOrganisation {
  /** Replies that it should not have got. */
  readonly wrongs: string[] = [];
  requests = 0;
  readonly #random: Random;
  readonly #site: Site;
  readonly #foreignJobs: () => readonly string[];

  constructor(seed: number, site: Site, foreignJobs: () => readonly string[]) {
    this.#random = randomFrom(`${seed}/${HOSTILE}`);
    this.#site = site;
    this.#foreignJobs = foreignJobs;
  }

  /** @param pauseMs between one thing that it sends and the next one of the kind */
  async attackUntil(over: AbortSignal, pauseMs: number): Promise<void> {
    const attacks = [() => this.#ask(), () => this.#callBack(), () => this.#comeAsCrowd()];
    await Promise.all(
      attacks.map(async (attack) => {
        while (!over.aborted) {
          await attack();
          await delay(pauseMs);
        }
      }),
    );
  }

  /** Well-formed operations that are too large, nonsense, or none of its business. */
  async #ask(): Promise<void> {
    const jobId = this.#pick(this.#foreignJobs());
    const { kind, value } = this.#random.pick([
      { kind: 'accounts', value: createAccounts('demo', 1_001) },
      { kind: 'accounts', value: createAccounts('demo', 40) },
      { kind: 'mobiles', value: [{ id: 1, name: '\ud800' }] },
      { kind: 'mobiles', value: [{ id: 2 ** 31 - 1, name: 'nonsense' }] },
      { kind: 'reports', value: { date: '0000-00-00', drivers: [] } },
    ] as const);
    const attack = this.#random.pick<object>([
      { query: OPERATIONS[kind].start, variables: { value: argumentOf(value) } },
      { query: OPERATIONS[kind].poll, variables: { jobId } },
      { query: `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: serviceVersion`).join(' ')} }` },
      { query: `{ mobiles { ${'edges { node { tags { id '.repeat(8)}${'} '.repeat(32)}` },
      {
        query: 'query($tagIds: [ID!]) { mobiles(tagIds: $tagIds) { edges { node { id } } } }',
        variables: { tagIds: Array(LARGE_LIST).fill(2 ** 31 - 1) },
      },
      { query: '{ serviceVersion }', variables: { text: 'x'.repeat(3 * MEBIBYTE) } },
    ]);
    const bearer = await this.#site.bearer({ claims: { 'org:id': HOSTILE, preferred_username: HOSTILE } });
    const text = await this.#send('/graphql', attack, { authorization: bearer });
    if (text.includes(`"jobId":"${jobId}"`)) this.wrongs.push(`it saw a foreign job: ${text}`);
  }

  /** Callbacks of the queue function for jobs of its own. */
  async #callBack(): Promise<void> {
    const vptGrps = Array.from({ length: 1_000 }, (_, index) => `group ${index} ${'x'.repeat(80)}`);
    const [path, body] = this.#random.pick<[string, object]>([
      [USER_ACCOUNTS, createAccounts('demo', 40)],
      ...CALLBACKS.map(({ path, example }): [string, object] => [path, example]),
      [MOBILES, { items: [] }],
      // Nearly as large as a body may be, and larger.
      [USER_ACCOUNTS, Array.from({ length: 40 }, (_, index) => updateAccount(`demo-${index}`, { vptGrps }))],
      [MOBILES, [{ id: 1, name: 'x'.repeat(6 * MEBIBYTE) }]],
    ]);
    const key = { 'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '' };
    await this.#send(path, body, { ...key, ...jobHeaders(randomUUID(), HOSTILE) });
  }

  /** Logins of an account that backend-api fails over, and of unknown ones, each from another address. */
  async #comeAsCrowd(): Promise<void> {
    const logIn = (): Promise<string> => {
      const loginId = this.#random.chance(0.5) ? POISON : randomUUID();
      const query = `mutation { userLogin(loginId: "${loginId}", password: "guess") { otpRequired } }`;
      const address = Array.from({ length: 4 }, () => this.#random.integer(1, 254)).join('.');
      return this.#send('/graphql', { query }, { 'x-forwarded-for': address }, this.#pick(this.#site.gatewayUrls));
    };
    await Promise.all(Array.from({ length: CROWD }, logIn));
  }

  /** @returns nothing when whatever served it was killed */
  async #send(path: string, body: object, headers: Record<string, string>, url = this.#site.url): Promise<string> {
    this.requests += 1;
    try {
      const response = await postJson(`${url}${path}`, body, headers);
      const text = await response.text();
      // A callback without the id of its job in the answer was answered by something in front.
      const isOurs = !('x-job-id' in headers) || response.headers.has('x-job-id');
      if (isOurs && isWrong(response.status)) this.wrongs.push(`${response.status} after ${path}: ${text}`);
      return text;
    } catch {
      return '';
    }
  }

  #pick(choices: readonly string[]): string {
    return choices[this.#random.integer(0, choices.length - 1)] ?? '';
  }
}
