/**
 * The gateway is killed with SIGKILL in the middle of an account job, started again and given the job again,
 * until the job has ended. The journal of the backends is the judge.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { backendEnvironment, graphqlAt, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { createAccounts, MOBILES, USER_ACCOUNTS, type BulkReply } from '../support/job-requests.js';
import { chooseSeed } from '../support/seed.js';
import { startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

/** `npm run test:soak` asks for more; the first round already strikes at every stage. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 1) / 5);
const ITEMS = 60;
/** One at each stage. */
const KILLS = 3;
const CALLBACK_KEY = 'callback-key-of-this-test';

const random = randomFrom(chooseSeed('gateway-crash'));

let programs: BuiltPrograms;
let ground: SharedGround;

beforeAll(async () => {
  [programs, ground] = await Promise.all([BuiltPrograms.open(), startSharedGround()]);
});
afterAll(async () => {
  await programs.close();
  await ground.close();
});

/** The gateway that runs. Rounds follow one another on it, because a start takes long. */
let gateway: ServingProgram | undefined;

async function runningGateway(): Promise<ServingProgram> {
  if (gateway?.isRunning() === true) return gateway;
  gateway = await programs.startGateway({
    ...PRODUCTION_ENVIRONMENT,
    ...backendEnvironment(ground.sandbox),
    ...ground.environment,
    TASK_CALLBACK_API_KEY: CALLBACK_KEY,
    DATA_DIR: ground.dataDir,
    JOB_LEASE_SECONDS: '1',
  });
  return gateway;
}

/**
 * Where a kill strikes: the item's request has not been handled, has had its effect, or has been answered. The last
 * one holds nothing, so the job may have gone on by then.
 */
const STAGES = ['after the answer', 'before the effect', 'after the effect'] as const;
const SWAPPED_STAGES = ['after the answer', 'after the effect', 'before the effect'] as const;

interface Kill {
  readonly index: number;
  readonly stage: (typeof STAGES)[number];
}

/** A kill at each stage, at different items, in order. */
function chooseKills(): readonly Kill[] {
  const indexes = new Set<number>();
  while (indexes.size < KILLS) indexes.add(random.integer(0, ITEMS - 1));
  const [answered, ...holding] = random.chance(0.5) ? STAGES : SWAPPED_STAGES;
  const [first, other] = holding;
  // The first kill holds the job, so that it strikes for certain before the job has ended.
  const stages = random.chance(0.5) ? [first, other, answered] : [first, answered, other];
  const inOrder = [...indexes].toSorted((one, another) => one - another);
  return stages.map((stage, position) => ({ index: inOrder[position] ?? 0, stage }));
}

/** Resolves when the place is reached; what it resolves to lets go of the request that is held there. */
async function reach({ index, stage }: Kill, prefix: string): Promise<() => void> {
  const { faults, journal } = ground.sandbox;
  if (stage === 'after the answer') {
    await waitFor(`the answer to item ${index}`, () =>
      journal
        .requests({ operation: 'createUserAccount' })
        .some(({ idempotencyKey, status }) => idempotencyKey === `acme:${prefix}:${index}` && status !== undefined),
    );
    return () => undefined;
  }
  const hold = faults.hold({
    operation: 'createUserAccount',
    loginId: `${prefix}-${index}`,
    stage: stage === 'before the effect' ? 'request' : 'reply',
  });
  await hold.held();
  return () => hold.release();
}

/** Delivers the job once. @returns undefined when no reply came, because the gateway was killed */
async function deliver(
  url: string,
  jobId: string,
  body: string,
  callback: string = USER_ACCOUNTS,
): Promise<Response | undefined> {
  return fetch(`${url}${callback}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-api-key': CALLBACK_KEY, 'x-job-id': jobId, 'x-org-id': 'acme' },
  }).catch(() => undefined);
}

/** Delivers the job until the gateway handles it, as a queue does that is told to come again. */
async function deliverUntilHandled(url: string, jobId: string, body: string, callback?: string): Promise<Response> {
  return waitFor(`job ${jobId} to be handled`, async () => {
    const response = await deliver(url, jobId, body, callback);
    if (response === undefined || response.status === 200) return response;
    expect(response.status).toBe(409);
    return undefined;
  });
}

describe(`a job of ${ITEMS} creates whose gateway is killed ${KILLS} times`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    'creates every account once and in order, and replies with every id (round %i)',
    async (round) => {
      const jobId = `crash-${round}`;
      const items = createAccounts(jobId, ITEMS);
      const body = JSON.stringify(items);
      const kills = chooseKills();
      process.stderr.write(`gateway-crash: round ${round} is killed at ${JSON.stringify(kills)}\n`);

      for (const kill of kills) {
        const victim = await runningGateway();
        const reached = reach(kill, jobId);
        const delivery = deliverUntilKilled(victim, jobId, body);
        const letGo = await Promise.race([reached, delivery.then(() => () => undefined)]);
        await victim.kill();
        await delivery;
        // What was under way still arrives at backend-api, after its sender has died.
        letGo();
      }
      ground.sandbox.faults.clear();
      const { url } = await runningGateway();
      const reply = await deliverUntilHandled(url, jobId, body);
      const replay = await deliverUntilHandled(url, jobId, body);

      const effects = ground.sandbox.journal
        .effects('userAccountCreated')
        .filter(({ loginId }) => loginId.startsWith(`${jobId}-`));
      expect(effects.map(({ loginId }) => loginId)).toEqual(
        items.map(({ userAccountInput }) => userAccountInput.loginId),
      );
      const text = await reply.text();
      expect(JSON.parse(text) as BulkReply).toEqual({
        status: 'Success',
        data: { created_user_account_id: effects.map(({ id }) => id) },
      });
      expect([replay.headers.get('x-job-replayed'), await replay.text()]).toEqual(['true', text]);
      expect(ground.sandbox.journal.contractViolations()).toEqual([]);
    },
    240_000,
  );
});

describe('a job of updates of mobiles whose gateway is killed', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    'makes them all in order, and the last two at most once more (round %i)',
    async (round) => {
      const jobId = `crash-mobiles-${round}`;
      // The same ones again and again, because that many mobiles there are not; the names say which update it was.
      const names = Array.from({ length: 600 }, (_, index) => `${jobId} ${index}`);
      const body = JSON.stringify(names.map((name, index) => ({ id: 1 + (index % 3), name })));
      const made = (): number[] =>
        ground.sandbox.journal
          .effects('mobileUpdated')
          .flatMap(({ patch }) => (patch.name?.startsWith(`${jobId} `) ? names.indexOf(patch.name) : []));
      const killAt = random.integer(1, names.length / 2);

      const victim = await runningGateway();
      const delivery = deliver(victim.url, jobId, body, MOBILES);
      await waitFor(`update ${killAt}`, () => made().length >= killAt);
      await victim.kill();
      expect(await delivery).toBeUndefined();
      const before = made().length;
      const { url } = await runningGateway();
      const reply = await deliverUntilHandled(url, jobId, body, MOBILES);

      expect(await reply.json()).toEqual({ status: 'Success' });
      const all = made();
      const resumedAt = all[before] ?? names.length;
      expect(before - resumedAt).toBeGreaterThanOrEqual(0);
      expect(before - resumedAt).toBeLessThanOrEqual(2);
      const indexes = [...names.keys()];
      expect(all).toEqual([...indexes.slice(0, before), ...indexes.slice(resumedAt)]);
    },
    240_000,
  );
});

describe('a job that was cancelled before its gateway is killed', () => {
  it('begins nothing further afterwards, and names the account that was in doubt', async () => {
    const jobId = 'crash-cancelled';
    const body = JSON.stringify(createAccounts(jobId, 5));
    const victim = await runningGateway();
    const reached = reach({ index: 1, stage: 'after the effect' }, jobId);
    const delivery = deliver(victim.url, jobId, body);
    const letGo = await reached;
    const cancel = 'mutation($jobId: ID!) { cancelJob(jobId: $jobId) { jobId } }';
    const bearer = `Bearer ${await ground.sandbox.mintToken()}`;
    const { data } = await graphqlAt(victim.url)(cancel, { jobId }, bearer);
    expect(data).toEqual({ cancelJob: { jobId } });
    await victim.kill();
    expect(await delivery).toBeUndefined();
    letGo();
    const { url } = await runningGateway();
    const reply = await deliverUntilHandled(url, jobId, body);
    const created = ground.sandbox.journal
      .effects('userAccountCreated')
      .filter(({ loginId }) => loginId.startsWith(`${jobId}-`));
    expect(created.map(({ loginId }) => loginId)).toEqual([`${jobId}-0`, `${jobId}-1`]);
    expect(await reply.json()).toEqual({
      status: 'Failure',
      data: { created_user_account_id: created.map(({ id }) => id) },
      errors: [2, 3, 4].map((index) => `[${index}] ${jobId}-${index}: not done, the job was cancelled`),
    });
  });
});

/** Delivers the job, again while the lease of the dead owner lasts, until the gateway is killed or was too quick. */
async function deliverUntilKilled({ url }: ServingProgram, jobId: string, body: string): Promise<void> {
  await waitFor('the gateway to be killed', async () => {
    const response = await deliver(url, jobId, body);
    if (response !== undefined) expect([200, 409]).toContain(response.status);
    return response?.status !== 409;
  });
}
