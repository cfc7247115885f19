import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { BACKEND_KEY } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { chooseSeed } from '../support/seed.js';
import { expectEveryAccountOnce } from './account-judge.js';
import { deliverAccounts, deliverUntilHandled, Replicas } from './replicas.js';

/** `npm run test:soak` asks for more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 4);
const ITEMS = 200;
const MAX_KILLS = ROUNDS > 10 ? 3 : 1;
/** Long enough to reach every moment of an item: request, effect, answer, checkpoint. */
const MAX_ITEM_MS = 5;
const RACES = ROUNDS > 10 ? 100 : 25;

const ROUND_MS = 60_000;
const STARTUP_MS = 240_000;

/** Stores that hold nothing yet. */
export interface Stores {
  readonly environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * Registers the tests of gateways that are killed, stopped and raced, within the `describe` of the caller.
 *
 * @param gateways how many may use the stores at the same time
 */
export function killedGateways(engine: string, gateways: 1 | 2, open: () => Promise<Stores>): void {
  let stores: Stores;
  let programs: BuiltPrograms;
  let sandbox: Sandbox;
  let replicas: Replicas;

  beforeAll(async () => {
    stores = await open();
    programs = await BuiltPrograms.open();
    sandbox = await startSandbox({
      logger: createLogger({ level: 'silent', pretty: false }),
      backendApiKey: BACKEND_KEY,
    });
    replicas = await Replicas.start(programs, sandbox, stores.environment, gateways);
  }, STARTUP_MS);

  afterAll(async () => {
    await programs.close();
    await sandbox.close();
    await stores.close();
  }, STARTUP_MS);

  beforeEach(() => {
    sandbox.faults.clear();
    sandbox.journal.clear();
  });

  it(
    `killed at random points create each of ${ITEMS} accounts exactly once, in order, ${ROUNDS} times`,
    async () => {
      const random = randomFrom(chooseSeed(`kills of gateways on ${engine}`));
      let [kills, repeated] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        sandbox.journal.clear();
        const jobId = randomUUID();
        const items = createAccounts(jobId, ITEMS);
        const points = Array.from({ length: random.integer(1, MAX_KILLS) }, () => random.integer(1, ITEMS - 1));

        const handled = deliverUntilHandled(() => replicas.serving(), jobId, items);
        for (const point of points.sort((a, b) => a - b)) {
          await sandbox.journal.waitFor({ operation: 'createUserAccount' }, point);
          await delay(random.next() * MAX_ITEM_MS);
          await replicas.kill();
          kills += 1;
        }
        const reply = await handled;

        repeated += expectEveryAccountOnce(sandbox.journal, jobId, items, reply.text).repeated;
        const again = await deliverUntilHandled(() => replicas.serving(), jobId, items);
        expect(again).toEqual({ status: 200, text: reply.text, replayed: true });
      }
      expect(kills).toBeGreaterThanOrEqual(ROUNDS);
      process.stderr.write(
        `${engine}: ${ROUNDS} rounds, ${kills} kills, ${repeated} creates repeated under their key\n`,
      );
    },
    ROUNDS * ROUND_MS,
  );

  // Where there is one gateway, nobody else could take the job over.
  const itWithTwo = gateways === 2 ? it : (): void => undefined;
  itWithTwo(
    'stopped for longer than its lease cannot write any more when it wakes up',
    async () => {
      const jobId = randomUUID();
      const items = createAccounts(jobId, 20);
      const [first, second] = await replicas.both();
      const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${jobId}-9`, stage: 'reply' });
      const stale = deliverAccounts(first.url, jobId, items);
      await held.held();
      first.signal('SIGSTOP');
      held.release();
      const handled = await deliverUntilHandled(() => Promise.resolve(second), jobId, items);
      first.signal('SIGCONT');
      // It finds its job taken over: whatever it replies is not an outcome of its own.
      const late = await stale;
      expect([409, 200]).toContain(late?.status);
      if (late?.status === 200) expect(late).toEqual({ ...handled, replayed: true });
      const { repeated } = expectEveryAccountOnce(sandbox.journal, jobId, items, handled.text);
      expect(repeated).toBe(1);
      expect(await deliverAccounts(first.url, jobId, items)).toEqual({ ...handled, replayed: true });
    },
    ROUND_MS,
  );

  it(
    `given the same job at the same time run it once, ${RACES} times`,
    async () => {
      const outcomes = { handled: 0, running: 0, replayed: 0 };
      for (let race = 0; race < RACES; race += 1) {
        sandbox.journal.clear();
        const jobId = randomUUID();
        const items = createAccounts(jobId, 2);
        const replies = await Promise.all((await replicas.both()).map(({ url }) => deliverAccounts(url, jobId, items)));
        const handled = replies.filter((reply) => reply?.status === 200 && !reply.replayed);
        expect(handled).toHaveLength(1);
        expectEveryAccountOnce(sandbox.journal, jobId, items, handled[0]?.text ?? '');
        for (const reply of replies.filter((each) => each !== handled[0])) {
          if (reply?.status !== 409) expect(reply).toEqual({ status: 200, replayed: true, text: handled[0]?.text });
          outcomes[reply?.status === 409 ? 'running' : 'replayed'] += 1;
        }
        outcomes.handled += handled.length;
      }
      expect(outcomes.handled).toBe(RACES);
      // Otherwise the two never met, and nothing was shown.
      expect(outcomes.running).toBeGreaterThan(0);
      process.stderr.write(
        `${engine}: ${RACES} races, the other one got 409 ${outcomes.running} times, the replay ${outcomes.replayed}\n`,
      );
    },
    STARTUP_MS,
  );
}
