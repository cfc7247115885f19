import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';
import type { BackendFault, Faults, FaultScope } from '../../src/sandbox/sandbox.js';
import { isSend } from '../support/fauxqs.js';
import type { RedisServer } from '../support/redis-server.js';
import type { Router } from '../support/router.js';
import type { Line, TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';
import type { EmbeddedGateway } from './embedded-gateway.js';
import { IN_TIME, type Site } from './site.js';

export interface Victims {
  readonly site: Site;
  readonly s3: TcpProxy;
  readonly redis: RedisServer;
  readonly embedded: EmbeddedGateway;
  readonly onSqs: Site;
  /** Stands in front of Amazon SQS. */
  readonly sqs: Router;
}

/** Longest wait before the first fault of a kind, so that kinds overlap differently in every round. */
const MAX_HEAD_START_MS = 5_000;

/** Beyond `BACKEND_TIMEOUT_SECONDS` of the programs. */
const TOO_SLOW_MS = 2_500;

/** Faults of a backend that pass: a job rides them out, whatever it was doing. Late effects are not promised away. */
const PASSING: readonly [BackendFault, ...BackendFault[]] = [
  { kind: 'down' },
  { kind: 'down', stage: 'reply' },
  { kind: 'slow', milliseconds: TOO_SLOW_MS, stage: 'reply' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retryAfter: 1 },
  { kind: 'status', status: 429, retryAfter: 1 },
  { kind: 'halfBody' },
  // Something in front of the backend has no route, or refuses.
  { kind: 'status', status: 404, body: 'no route' },
  { kind: 'status', status: 403, body: 'no entry' },
];

/** Operations that no job asks for. */
const ASKED_FOR_USERS: ReadonlySet<string | undefined> = new Set(['getPublicKeys', 'lookupMobiles', 'listMobiles']);

/** A bucket that may not be written for once: each report meets it once at most, because it costs an attempt. */
const DENIED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
const DENYING: Line = {
  answerOnce: /^(?:PUT|POST) (\/\S+\/org\/(?:acme|globex)\/[^\s?]+)/,
  reply: [
    'HTTP/1.1 403 Forbidden',
    'Content-Type: application/xml',
    `Content-Length: ${DENIED.length}`,
    'Connection: close',
    '',
    DENIED,
  ].join('\r\n'),
};

/** Faults of the files that embedded jobs lie in, one at a time: a gateway does not start without them. */
const OF_FILES: readonly ((random: Random, embedded: EmbeddedGateway) => Promise<void>)[] = [
  (random, embedded) => embedded.useBeside(['BEGIN IMMEDIATE'], random.between(300, 3_000)),
  (random, embedded) => embedded.useBeside(['BEGIN', 'SELECT count(*) FROM jobs'], random.between(300, 3_000)),
  async (random, { disk }) => {
    await disk.fill();
    await delay(random.between(300, 3_000));
    await disk.makeRoom();
  },
  // The gateway runs on, or starts with it after the kill.
  (_random, embedded) => embedded.spoilLock(),
  (random, embedded) => embedded.kill(random.between(0, 800)),
];

export function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const drawn = list.map((entry) => ({ entry, at: random.next() }));
  return drawn.toSorted((one, other) => one.at - other.at).map(({ entry }) => entry);
}

/** Statuses that something in front of a gateway may answer with; Node.js knows the names of all there are. */
const ANSWERS = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200);

/** A job can do without geo-api and voip-api, so these may answer anything. */
const ANY: readonly [BackendFault, ...BackendFault[]] = [
  ...PASSING,
  { kind: 'garbage' },
  { kind: 'status', status: 404 },
];

/**
 * The kinds of fault in a round. Each ends its faults one after another, and none lasts.
 *
 * A message is delivered six times at most (`ATTEMPTS`), and no gateway refuses it: one gateway, one queue function and
 * one Redis cost it three deliveries at most, and a bucket that denies costs it one. Gateways that another job ends cost
 * it none, because it gets further between two of them.
 */
const KINDS: Readonly<Record<string, (random: Random, victims: Victims) => Promise<unknown>>> = {
  'backend-api flapping': (random, { site }) => flap(random, site.sandbox.faults, { backend: 'backend-api' }, PASSING),
  'users answered with garbage': (random, { site }) =>
    flap(random, site.sandbox.faults, { match: ({ operation }) => ASKED_FOR_USERS.has(operation) }, [
      { kind: 'garbage' },
    ]),
  'geo-api flapping': (random, { site }) => flap(random, site.sandbox.faults, { backend: 'geo-api' }, ANY),
  'voip-api flapping': (random, { site }) => flap(random, site.sandbox.faults, { backend: 'voip-api' }, ANY),

  async 'S3 refusing, hanging and denying'(random, { s3 }) {
    const lines = ['refusing', 'stalling', DENYING] as const;
    for (const line of random.chance(0.5) ? lines : lines.toReversed()) {
      const before = s3.faults;
      s3.set(line);
      await waitFor('a report to meet the fault', () => s3.faults > before, IN_TIME);
      await delay(random.between(300, 2_500));
      s3.set('open');
      await delay(random.between(300, 1_000));
    }
  },

  async 'Redis restarting'(random, { redis }) {
    await redis.kill();
    await delay(random.between(0, 1_500));
    await redis.restart();
  },

  async 'Redis set so that it may lose jobs, until a program says so'(_random, { site, redis }) {
    const client = redis.client();
    const warnings = async (): Promise<number> =>
      (await site.log()).filter((line) => line.includes('"event":"store.may_forget"')).length;
    const before = await warnings();
    const isTold = async (): Promise<boolean> => {
      // A restart undoes it.
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru').catch(() => undefined);
      return (await warnings()) > before;
    };
    await waitFor('the setting to be told', isTold, IN_TIME);
    await client.config('SET', 'maxmemory-policy', 'noeviction').finally(() => client.disconnect());
  },

  async 'gateways killed and stopped'(random, { site }) {
    const first = random.integer(0, 1);
    await site.gatewayStartsJob(first, IN_TIME);
    await delay(random.between(0, 500));
    await site.killGateway(first, random.between(0, 800));
    await site.gatewayStartsJob(1 - first, IN_TIME);
    await site.replaceGateway(1 - first);
  },

  async 'callbacks cut off by what stands between'(random, { site, onSqs }) {
    for (const cut of shuffled(['cut', 'forward-and-cut'] as const, random)) {
      for (const each of [site, onSqs]) each.treatCallbacks(cut);
      await delay(random.between(500, 2_500));
      for (const each of [site, onSqs]) each.treatCallbacks('forward');
      await delay(random.between(100, 600));
    }
  },

  async 'callbacks answered by what stands between'(random, { site, onSqs }) {
    for (const status of shuffled(ANSWERS, random)) {
      // It lacks the job id that a gateway sends back.
      const answer = {
        status,
        headers: { 'content-type': 'application/json' },
        body: '{"message":"Come back later."}',
      };
      for (const each of [site, onSqs]) each.treatCallbacks(answer);
      await delay(random.between(50, 200));
      for (const each of [site, onSqs]) each.treatCallbacks('forward');
      await delay(random.between(0, 50));
    }
  },

  async 'starts refused by Amazon SQS, or taken without an answer'(random, { sqs }) {
    for (const treatment of shuffled(['forward-and-cut', { status: 403 }] as const, random)) {
      let met = 0;
      sqs.answer((_request, _body, incoming) => {
        if (!isSend(incoming)) return 'forward';
        met += 1;
        return treatment;
      });
      await waitFor('a start to meet the fault', () => met > 0, IN_TIME);
      await delay(random.between(0, 1_000));
      sqs.answer(() => 'forward');
      await delay(random.between(100, 600));
    }
  },

  async 'files of embedded jobs locked, read and without space'(random, { embedded }) {
    for (const fault of shuffled(OF_FILES, random)) {
      await fault(random, embedded);
      await delay(random.between(100, 600));
    }
  },

  'queue functions killed': (random, { site }) => site.killQueueFunction(random.integer(0, 1), random.between(0, 800)),
};

/**
 * Everything goes wrong at once, for a while. Resolves when all of it is over.
 *
 * @param seed decides what happens when; each kind depends on nothing else
 */
export async function everythingGoesWrong(seed: string, victims: Victims): Promise<void> {
  const kinds = Object.entries(KINDS).map(async ([kind, happens]) => {
    const random = randomFrom(`${seed}/${kind}`);
    await delay(random.between(0, MAX_HEAD_START_MS));
    await happens(random, victims);
  });
  await Promise.all(kinds);
}

/**
 * A few spells, each with a fault of its own. Shorter in all than the 9 s for which an item is tried that a backend
 * keeps answering with a fault while it serves others.
 */
async function flap(
  random: Random,
  faults: Faults,
  scope: FaultScope,
  choices: readonly [BackendFault, ...BackendFault[]],
): Promise<void> {
  for (let spells = random.integer(2, 3); spells > 0; spells -= 1) {
    const over = faults.set({ ...scope, fault: random.pick(choices) });
    await delay(random.between(300, 1_200));
    over();
    await delay(random.between(100, 600));
  }
}
