/**
 * Backends flapping, S3 refusing, hanging and denying, Redis restarting, gateways killed and stopped, queue functions
 * killed, and one organisation that sends nothing but nonsense: all at once, over two gateways and two queue functions.
 */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { graphqlAt, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { chooseSeed } from '../support/seed.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { everythingGoesWrong } from './faults-at-once.js';
import { HOSTILE, HostileOrganisation } from './hostile-organisation.js';
import { expectEverythingOnce, expectReports } from './order-judge.js';
import { accounts, largeReport, mobiles, report } from './orders.js';
import { Organisation } from './organisation.js';
import { BUCKET, startSite, type Site } from './site.js';
import { together } from './together.js';
import { expectNothingLeft, expectQueueSettled } from './what-is-left.js';

/** `npm run test:soak` asks for more, which are worse: with reports in parts, and more that is hostile. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 1) / 5);
const REPORTS = ROUNDS > 1 ? [largeReport, report] : [report];
const HOSTILE_PAUSE_MS = ROUNDS > 1 ? 400 : 2_000;

const STARTUP_MS = 180_000;
/** Far more than a round takes that waits for everything there is to wait for. */
const ROUND_MS = 600_000;

/** An unexpected error, wherever it was met. */
const UNEXPECTED =
  /"event":"(request\.failed|operation\.failed|job\.driver_failed|queue\.handler_failed|queue\.consumer_failed|shutdown\.step_\w+)"|uncaughtException|unhandledRejection/;

/** What the log says of a bucket that denies a report. */
const DENIED = 'The S3 credentials may not use the bucket.';

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'], 'With everything going wrong at once', () => {
  let site: Site;
  let acme: Organisation;
  let globex: Organisation;

  beforeAll(async () => {
    site = await startSite();
    const { url } = site.fleet.roundRobin;
    acme = new Organisation('acme', { url, bearer: () => site.bearer({ loginId: 'demo' }) });
    globex = new Organisation('globex', { url, bearer: () => site.bearer({ loginId: 'globex-admin' }) });
  }, STARTUP_MS);

  afterAll(() => site.close(), STARTUP_MS);

  it(
    `every job of those who mean no harm succeeds, each item once, ${ROUNDS} times`,
    async () => {
      const seed = chooseSeed('everything at once');
      const hostile = createHostile(seed);
      try {
        for (let round = 1; round <= ROUNDS; round += 1) await runRound(`${seed}/${round}`, hostile);
        if (ROUNDS > 1) await expectQueueSettled(site.redis, { empty: true });
        expect(await site.fleet.stop()).toEqual([0, 0, 0, 0]);
        await expectNothingLeft(site, BUCKET);
        await expectNothingUnexpected();
      } catch (error) {
        const file = path.join(tmpdir(), `everything-at-once-${seed}.log`);
        await writeFile(file, (await site.fleet.log()).join('\n'));
        process.stderr.write(`What the programs logged is in ${file}\n`);
        throw error;
      }
      tell(hostile);
    },
    ROUNDS * ROUND_MS,
  );

  async function runRound(seed: string, hostile: HostileOrganisation): Promise<void> {
    const { sandbox, redis, s3Line, fleet } = site;
    const organisations = [acme, globex];
    const before = organisations.map(({ finished }) => finished.length);
    const faults = new AbortController();
    const orders = new AbortController();
    const lanes = [
      acme.orderUntil(faults.signal, [accounts], []),
      acme.orderUntil(faults.signal, [mobiles], [11, 12, 13, 14, 15, 16, 17, 18]),
      acme.orderUntil(faults.signal, REPORTS, [21, 22, 23]),
      globex.orderUntil(faults.signal, [accounts], []),
      globex.orderUntil(faults.signal, [mobiles], [1001, 1002, 1003, 1004, 1005, 1006]),
      globex.orderUntil(faults.signal, [report], [1011, 1012]),
    ];
    const accepted = (): number => acme.accepted + globex.accepted;
    const everybodyOrdered = accepted() + lanes.length;
    await together([
      together(lanes).finally(() => orders.abort()),
      hostile.attackUntil(orders.signal),
      waitFor('everybody to order', () => accepted() >= everybodyOrdered)
        .then(() => everythingGoesWrong(seed, { backends: sandbox.faults, s3: s3Line, redis, fleet }))
        .then(logIn)
        .finally(() => faults.abort()),
    ]);
    await expectQueueSettled(redis, { empty: false });

    expect(hostile.wrongs).toEqual([]);
    expect(fleet.diedByThemselves()).toEqual([]);
    await expectNothingUnexpected();
    expectEverythingOnce(organisations, sandbox.journal);
    for (const [index, organisation] of organisations.entries()) await expectReports(organisation, before[index] ?? 0);
  }

  async function expectNothingUnexpected(): Promise<void> {
    const unexpected = (await site.fleet.log()).filter((line) => UNEXPECTED.test(line) && !line.includes(DENIED));
    expect(unexpected).toEqual([]);
  }

  /** Somebody who logs in, from an address of their own, while the crowd goes on. */
  async function logIn(): Promise<void> {
    const query = 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }';
    await waitFor('a login', async () => {
      const { data } = await graphqlAt(site.fleet.roundRobin.url)(query).catch(() => ({ data: undefined }));
      return data?.['userLogin'];
    });
  }

  function createHostile(seed: number): HostileOrganisation {
    const { fleet, bearer } = site;
    return new HostileOrganisation(seed, {
      url: fleet.roundRobin.url,
      apiKey: PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
      bearer: () => bearer({ claims: { 'org:id': HOSTILE, preferred_username: HOSTILE } }),
      gatewayUrls: () => fleet.gatewayUrls,
      pauseMs: HOSTILE_PAUSE_MS,
      jobIds: () => [acme, globex].flatMap(({ finished }) => finished.map(({ jobId }) => jobId)),
    });
  }

  /** What there was, for people. */
  function tell({ requests: hostileRequests }: HostileOrganisation): void {
    const { sandbox, s3Line, fleet } = site;
    const finished = acme.finished.length + globex.finished.length;
    const doubtful = acme.doubtful.length + globex.doubtful.length;
    const requests = sandbox.journal.requests();
    const failed = requests.filter(({ fault, status = 500 }) => fault !== undefined && status >= 404).length;
    process.stderr.write(
      `everything at once: ${ROUNDS} rounds, ${finished} jobs, ${doubtful} orders in doubt, ${fleet.kills} kills, ` +
        `${failed} faults of backends, ${s3Line.faults} of S3, ` +
        `${requests.filter(({ replayed }) => replayed).length} creates repeated under their key, ` +
        `${hostileRequests} hostile requests\n`,
    );
  }
});
