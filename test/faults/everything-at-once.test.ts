/**
 * Backends flapping, S3 refusing, hanging and denying, Redis restarting, gateways killed, stopped and ended by a job,
 * queue functions killed, callbacks cut off, or answered with every status, by what stands between, files of embedded
 * jobs locked and without space, Amazon SQS refusing starts and losing its answers, and one organisation that sends
 * nothing but nonsense: all at once, over two gateways with two queue functions on Redis, one of each on Amazon SQS, and
 * one gateway with embedded jobs. Redis is emptied too, between the rounds, because what it loses is lost.
 */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { REPORT_PREFIX } from '../../src/objects/object-store.js';
import type { FaultTarget } from '../../src/sandbox/faults.js';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';
import { BACKEND_KEY, graphqlAt } from '../support/gateway.js';
import { startFauxqs } from '../support/fauxqs.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, processVariables } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import { chooseSeed } from '../support/seed.js';
import { describeOnSmallDisk } from '../support/small-disk.js';
import { requireFauxqs, requireTool } from '../support/system-tools.js';
import type { Hold } from '../support/test-sandbox.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';
import { startEmbeddedGateway } from './embedded-gateway.js';
import { everythingGoesWrong, shuffled } from './faults-at-once.js';
import { HostileOrganisation, POISON } from './hostile-organisation.js';
import {
  accountEffects,
  accounts,
  expectEverythingOnce,
  largeReport,
  mobiles,
  Organisation,
  report,
  SAME_FOR_ALL_DAY,
} from './orders.js';
import { expectQueueSettled, IMPATIENT, IN_TIME, Site } from './site.js';

/** `npm run test:soak` asks for more, which are worse: with reports in parts, and more that is hostile. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 1) / 5);
const REPORTS = ROUNDS > 1 ? [largeReport, report] : [report];
const HOSTILE_PAUSE_MS = ROUNDS > 1 ? 400 : 2_000;

const BUCKET = 'reports';
const ITEM_MS = 60;
/** One more than all that goes wrong in a round can cost a message. */
const ATTEMPTS = '6';
/** Far more than a round takes that waits for everything there is to wait for. */
const ROUND_MS = 600_000;

const UNEXPECTED =
  /"event":"(request\.failed|operation\.failed|job\.driver_failed|queue\.handler_failed|queue\.consumer_failed|shutdown\.step_\w+)"|uncaughtException|unhandledRejection/;

/** Log line of a bucket that denies a report. */
const DENIED = 'The S3 credentials may not use the bucket.';

const TOOLS = ['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'];
const CAN_RUN = TOOLS.every(requireTool) && requireFauxqs();

(CAN_RUN ? describeOnSmallDisk : describe.skip)('With everything going wrong at once', () => {
  const redis = forAllTests(() => startRedis({ appendOnly: true }));
  const s3 = forAllTests(() => startRadosgw(BUCKET));
  const s3Line = forAllTests(() => startTcpProxy(Number(new URL(s3.endpoint).port)));
  const site = forAllTests(() =>
    Site.start({
      environment: {
        REDIS_URL: redis.url,
        QUEUE_MAX_ATTEMPTS: ATTEMPTS,
        JOB_LEASE_SECONDS: '3',
        BACKEND_TIMEOUT_SECONDS: '2',
        ...IMPATIENT,
        // Visitors come from many addresses.
        TRUSTED_PROXIES: '1',
        ...s3.environment(BUCKET),
        ...s3.variables,
        S3_ENDPOINT: `http://127.0.0.1:${s3Line.port}`,
      },
      itemMs: ITEM_MS,
    }),
  );
  const embedded = forAllTests(() => startEmbeddedGateway(site));
  const sqs = forAllTests(startFauxqs);
  const queue = forAllTests(() => sqs.createQueue());
  // The stand-in accepts any key; commands that run in this process need that of the bucket.
  forAllTests(() => processVariables(s3.variables));
  const sqsRouter = forAllTests(() => startRouter(sqs.url));
  const onSqs = forAllTests(() => {
    const { environment, sandbox } = site;
    const stores = { REDIS_URL: `${redis.url}/1`, SQS_QUEUE_URL: queue.url.replace(sqs.url, sqsRouter.url) };
    return Site.start({ environment: { ...environment, ...stores }, itemMs: ITEM_MS, replicas: 1, sandbox });
  });
  const acme = new Organisation('acme', site, 'demo');
  const globex = new Organisation('globex', site, 'globex-admin', true);
  const apart = new Organisation('apart', embedded, 'demo', true);
  const distant = new Organisation('distant', onSqs, 'demo', true);
  // While the first one waits to be replayed, its users order accounts; those of the second one order nothing else there.
  const victims = [new Organisation('fatal', site, 'demo'), new Organisation('lethal', onSqs, 'globex-admin')] as const;

  beforeAll(async () => {
    const { faults, backendApiUrl } = site.sandbox;
    faults.set({ operation: 'login', loginId: POISON, fault: { kind: 'status', status: 500 } });
    const query = new URLSearchParams({ from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' });
    // It has seven trips on that day.
    const busy = await fetch(`${backendApiUrl}/v1/mobiles/1/driving-record?${query.toString()}`, {
      headers: { 'x-api-key': BACKEND_KEY, 'x-org-id': 'acme' },
    });
    faults.set({
      operation: 'getDrivingRecord',
      match: ({ query: { from } }) => typeof from === 'string' && from.startsWith(SAME_FOR_ALL_DAY),
      fault: { kind: 'status', status: 200, body: await busy.json() },
    });
  });

  it(
    `every job of those who mean no harm succeeds, each item once, ${ROUNDS} times`,
    async () => {
      const seed = chooseSeed('everything at once');
      const foreignJobs = (): string[] => [acme, globex].flatMap(({ finished }) => finished.map(({ jobId }) => jobId));
      const hostile = new HostileOrganisation(seed, site, foreignJobs);
      try {
        const rounds = Array.from({ length: ROUNDS }, (_, round) => () => runRound(`${seed}/${round + 1}`, hostile));
        for (const act of shuffled([...rounds, loseEverything], randomFrom(`${seed}/acts`))) await act();
        if (ROUNDS > 1) await expectQueueSettled(redis, { empty: true });
        expect(await losses()).toEqual([1, 1]);
        const codes = [...(await site.stop()), ...(await onSqs.stop()), await embedded.stop()];
        expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0]);
        await expectNoOtherUploads();
        await expectNothingUnexpected();
      } catch (error) {
        const file = path.join(tmpdir(), `everything-at-once-${seed}.log`);
        await writeFile(file, (await logs()).flat().join('\n'));
        process.stderr.write(`What the programs logged is in ${file}\n`);
        throw error;
      }
      tell(hostile);
    },
    (ROUNDS + 1) * ROUND_MS,
  );

  async function runRound(seed: string, hostile: HostileOrganisation): Promise<void> {
    const organisations = [acme, globex, apart, distant];
    const random = randomFrom(`${seed}/operator`);
    const poison = await Promise.all([orderPoison(site, victims[0]), orderPoison(onSqs, victims[1])]);
    // They take longer than all the rest, and so go on when nobody orders any more.
    let ending: readonly Promise<void>[] = [];
    const before = organisations.map(({ finished }) => finished.length);
    const [faults, orders] = [new AbortController(), new AbortController()];
    const accepted = (): number => acme.accepted.length + globex.accepted.length;
    const everybodyOrdered = accepted() + 7;
    const lanes = [
      acme.orderUntil(faults.signal, [accounts], []),
      acme.orderUntil(faults.signal, [mobiles], [11, 12, 13, 14, 15, 16, 17, 18]),
      acme.orderUntil(faults.signal, REPORTS, [21, 22, 23]),
      // Another one meets what S3 does while the first one waits.
      acme.orderUntil(faults.signal, [report], [26, 27]),
      globex.orderUntil(faults.signal, [accounts], []),
      globex.orderUntil(faults.signal, [mobiles], [1001, 1002, 1003, 1004, 1005, 1006]),
      globex.orderUntil(faults.signal, [report], [1011, 1012]),
      apart.orderUntil(faults.signal, [accounts], []),
      apart.orderUntil(faults.signal, [mobiles], [31, 32, 33, 34]),
      distant.orderUntil(faults.signal, [accounts], []),
      distant.orderUntil(faults.signal, [mobiles], [41, 42, 43, 44]),
      orderAndCancel(random),
    ];
    try {
      await together([
        together(lanes).finally(() => orders.abort()),
        hostile.attackUntil(orders.signal, HOSTILE_PAUSE_MS),
        waitFor('everybody to order', () => accepted() >= everybodyOrdered)
          .finally(() => (ending = poison.map((each) => each.endGateways())))
          .then(() => everythingGoesWrong(seed, { site, s3: s3Line, redis, embedded, onSqs, sqs: sqsRouter }))
          .then(logIn)
          .finally(() => faults.abort()),
      ]);
    } finally {
      await together(ending);
    }
    for (const { settle } of poison) await settle(random.pick([['replay'], ['drop', '--yes']]));
    await expectQueueSettled(redis, { empty: false });
    await waitFor('the queue on SQS to be empty', async () => (await queue.size()) === 0, IN_TIME);
    expect(await queue.size(queue.deadLetterUrl)).toBe(0);

    expect(hostile.wrongs).toEqual([]);
    expect([...site.diedByThemselves(), ...onSqs.diedByThemselves()]).toEqual([]);
    await expectNothingUnexpected();
    expectEverythingOnce([...organisations, ...victims], site.sandbox.journal);
    for (const [index, organisation] of organisations.entries()) await organisation.expectReports(before[index] ?? 0);
  }

  /** Orders a job that an operator cancels after some of its items, while any store may be down. */
  async function orderAndCancel(random: Random): Promise<void> {
    const user = random.pick([acme, distant]);
    const { environment, dataDir } = user === acme ? site : onSqs;
    const order = await user.place(accounts);
    const begun = random.integer(0, 2);
    await waitFor('its items', () => accountEffects(order.name, site.sandbox.journal).length >= begun, IN_TIME);
    const isCancelled = async (): Promise<boolean> => {
      const { code, stderr } = await runJobsCommand(['cancel', order.jobId, '--yes'], environment, dataDir);
      return code === 0 || stderr.includes('has ended');
    };
    await waitFor('the cancellation', isCancelled, IN_TIME);
    await user.withdraw(order, site.sandbox.journal);
  }

  /** Orders a job that ends each gateway that runs it, beside jobs that lose only time. */
  async function orderPoison(at: Site, victim: Organisation) {
    const match = ({ operation, loginId = '' }: FaultTarget): boolean =>
      operation === 'createUserAccount' && loginId.startsWith(`${victim.code}-`) && loginId.endsWith('-1');
    const hold = (): Hold => site.sandbox.faults.hold({ match, stage: 'reply' });
    let next = hold();
    const order = await victim.place(accounts);
    return {
      /** Kills whichever gateway runs it until it is given up; others that are killed count as well. */
      endGateways: async (): Promise<void> => {
        const end = victim.outcomeOf(order);
        let kills = 0;
        while (await Promise.race([end.then(() => false), next.held().then(() => true)])) {
          const held = next;
          next = hold();
          // While the gateway waits for its turn to end, its call may time out, and be repeated into the next hold.
          if (await at.killGatewayOf(order.jobId)) kills += 1;
          held.release();
        }
        next.release();
        expect((await end).errors?.at(-1)).toContain('given up');
        expect(kills).toBeGreaterThan(1);
        expect(kills).toBeLessThanOrEqual(Number(ATTEMPTS));
      },
      /** Replays it with all others, unless accounts were ordered since; then this command decides. */
      settle: async ([name, ...options]: readonly [string, ...string[]]): Promise<void> => {
        const jobs = (...args: string[]) => runJobsCommand(args, at.environment, at.dataDir);
        const { stdout } = await jobs('replay', '--all');
        expect(stdout).toContain(`Job ${order.jobId} is ${at === site ? 'left out' : 'delivered again'}`);
        if (at === site) {
          expect(await jobs(name, order.jobId, ...options)).toMatchObject({ code: 0, stderr: '' });
          if (name === 'drop') return victim.withdraw(order, site.sandbox.journal);
        }
        await waitFor('success', async () => (await victim.outcomeOf(order)).status === 'Success', IN_TIME);
        await victim.finish(order);
      },
    };
  }

  const logs = (): Promise<(readonly string[])[]> => Promise.all([site.log(), onSqs.log(), embedded.log()]);
  /** Losses that running programs saw. The sites share a bucket, so one that starts later misses a mark. */
  const losses = async (): Promise<readonly number[]> =>
    (await logs())
      .slice(0, 2)
      .map((log) => log.filter((line) => /"seenAt".*"event":"store\.forgot"/.test(line)).length);

  /** Redis is emptied. One program of each site says so, once; whatever is ordered from then on takes effect once. */
  async function loseEverything(): Promise<void> {
    expect(await losses()).toEqual([0, 0]);
    const client = redis.client();
    await client.flushall().finally(() => client.disconnect());
    await waitFor('the loss to be told', async () => !(await losses()).includes(0), IN_TIME);
    await together([acme, globex, distant].map((each) => each.orderUntil(AbortSignal.abort(), [accounts], [])));
    expectEverythingOnce([acme, globex, apart, distant, ...victims], site.sandbox.journal);
  }

  /** Uploads that the bucket could not end lie where the lifecycle rule for reports removes them. */
  async function expectNoOtherUploads(): Promise<void> {
    const client = s3.client();
    const list = new ListMultipartUploadsCommand({ Bucket: BUCKET });
    const { Uploads = [] } = await client.send(list).finally(() => client.destroy());
    expect(Uploads.filter(({ Key = '' }) => !Key.startsWith(REPORT_PREFIX))).toEqual([]);
  }

  async function expectNothingUnexpected(): Promise<void> {
    const unexpected = (await logs()).flat().filter((line) => UNEXPECTED.test(line) && !line.includes(DENIED));
    expect(unexpected).toEqual([]);
  }

  /** Logs a visitor in, from an address of its own, while the crowd goes on. */
  async function logIn(): Promise<void> {
    const query = 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }';
    await waitFor('a login', async () => {
      const { data } = await graphqlAt(site.url)(query).catch(() => ({ data: undefined }));
      return data?.['userLogin'];
    });
  }

  function tell({ requests: hostileRequests }: HostileOrganisation): void {
    const { sandbox, kills } = site;
    const organisations = [acme, globex, apart, distant];
    const finished = organisations.flatMap((each) => each.finished).length;
    const doubtful = organisations.flatMap((each) => each.doubtful).length;
    const refused = organisations.flatMap((each) => each.refused).length;
    const requests = sandbox.journal.requests();
    const failed = requests.filter(({ fault, status = 500 }) => fault !== undefined && status >= 404).length;
    process.stderr.write(
      `everything at once: ${ROUNDS} rounds, ${finished} jobs, ${doubtful} orders in doubt, ${refused} refused, ` +
        `${kills + onSqs.kills} kills, ${failed} faults of backends, ${s3Line.faults} of S3, ` +
        `${requests.filter(({ replayed }) => replayed).length} creates repeated under their key, ` +
        `${hostileRequests} hostile requests\n`,
    );
  }
});

/** Waits for all, also after one did: a failure leaves none of the others under way. */
async function together(underWay: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(underWay);
  await Promise.all(underWay);
}
