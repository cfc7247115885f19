/**
 * A rolling update: programs that were released last and those of this state share one Redis. Each finishes the work
 * that the other began, so that replicas can be replaced one after another, in both directions. The released ones cannot
 * read what the new ones ended: they neither show nor run it.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { callBack, graphqlAt, productionAt } from '../support/gateway.js';
import {
  argumentOf,
  createAccounts,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { openReleasedPrograms } from '../support/released-programs.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import {
  finishedJob,
  OPERATIONS,
  pollJob,
  requestStatus,
  startJob,
  startWithKey,
  type JobGateway,
  type StartedKind,
} from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const ITEMS = 40;

type Version = 'released' | 'new';

const DIRECTIONS: readonly (readonly [from: Version, to: Version])[] = [
  ['released', 'new'],
  ['new', 'released'],
];

/** A part of the status of a job. */
async function partOf(gateway: JobGateway, kind: StartedKind, jobId: string, selection: string): Promise<unknown> {
  const query = OPERATIONS[kind].poll.replace('status errors', `status errors part: ${selection}`);
  const { data } = await gateway.graphql(query, { jobId }, await gateway.bearer());
  return (data?.['status'] as { part: unknown }).part; // as selected
}

const CALLBACKS = { reports: DRIVING_REPORT, accounts: USER_ACCOUNTS, mobiles: MOBILES } as const;

/** Expects a released program to leave a job alone that a new one ended: pollers and messages come again. */
async function expectUnread(
  { program, ...released }: JobGateway & { readonly program: ServingProgram },
  kind: StartedKind,
  jobId: string,
  body: unknown,
): Promise<void> {
  const { errors } = await requestStatus(released, kind, jobId);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['ServiceUnavailable']);
  const { data } = await released.graphql('{ jobs { edges { node { jobId } } } }', {}, await released.bearer());
  expect(JSON.stringify(data)).not.toContain(jobId);
  const { status, headers } = await callBack(program.url + CALLBACKS[kind], body, jobHeaders(jobId));
  expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
}

describeWith(['redis-server'], 'Programs of two versions on one Redis', () => {
  const directory = forAllTests(temporaryDirectory);
  const sandbox = forAllTests(startBackends);
  const redis = forAllTests(() => startRedis());
  /** Gateways behind the proxy. */
  const targets: string[] = [];
  const proxy = forAllTests(() => startRouter(targets));
  const programs: Readonly<Record<Version, BuiltPrograms>> = {
    released: forAllTests(openReleasedPrograms),
    new: forAllTests(() => BuiltPrograms.open()),
  };

  const environment = (): NodeJS.ProcessEnv => ({
    ...productionAt(sandbox),
    REDIS_URL: redis.url,
    // Reports are files that both find, in place of a bucket.
    DATA_DIR: directory.path,
    JOB_LEASE_SECONDS: '1',
    // The fetch of a key has two seconds, which a busy machine may take.
    PUBLIC_KEY_MAX_AGE_SECONDS: '3600',
  });

  async function startGateway(version: Version): Promise<JobGateway & { readonly program: ServingProgram }> {
    const program = await programs[version].startGateway(environment());
    const bearer = async (): Promise<string> => `Bearer ${await sandbox.mintToken()}`;
    return { graphql: graphqlAt(program.url), bearer, program };
  }

  it.each(DIRECTIONS)(
    'do with the other what the %s one accepted, or was killed in, each item once, and both tell the same of it',
    async (from, to) => {
      const prefix = `from-${from}`;
      const first = await startGateway(from);
      // The last one of each fails.
      const fault = { kind: 'status', status: 404, body: { message: 'no such record' } } as const;
      sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault });
      const values: Record<StartedKind, unknown> = {
        reports: reportOf(1, 2),
        accounts: createAccounts(`${prefix}-accepted`, 3).map((item, index) =>
          index < 2 ? item : { ...item, userAccountInput: { ...item.userAccountInput, password: '' } },
        ),
        mobiles: [
          { id: 1, name: `Name of ${from}` },
          { id: 2, tagIds: [77_777] },
        ],
      };
      const kinds = Object.keys(values) as StartedKind[]; // as written above
      const jobs = await Promise.all(
        kinds.map(async (kind) => ({ kind, ...(await startJob(first, kind, values[kind])) })),
      );
      const second = await startGateway(to);
      // The first one serves polls and no callback any more.
      targets.splice(0, Infinity, second.program.url);
      const queueFunction = await programs[to].startQueueFunction({ ...environment(), GATEWAY_URL: proxy.url });
      for (const { kind, jobId } of jobs) {
        const ended = await finishedJob(second, kind, jobId);
        const last = kind === 'accounts' ? 2 : 1;
        expect(ended).toMatchObject({ status: 'Failure', errors: [expect.any(String)], progress: { done: last + 1 } });
        const { subject, ...failure } = { index: last, subject: expect.any(String), code: expect.any(String) };
        const parts = { reason: expect.any(String), message: expect.any(String), values: expect.any(Object) };
        const noted = await partOf(second, kind, jobId, 'failures { index subject code reason message values }');
        expect(noted).toEqual([{ ...failure, subject, ...parts }]);
        if (kind !== 'reports') {
          const itemErrors = await partOf(second, kind, jobId, 'itemErrors { index item code message reason values }');
          expect(itemErrors).toEqual([{ ...failure, item: expect.any(String), ...parts }]);
        }
        if (to === 'new') await expectUnread(first, kind, jobId, values[kind]);
        else {
          const { downloadUrl: _link, ...told } = await pollJob(first, kind, jobId);
          expect(ended).toMatchObject(told);
          expect(await partOf(first, kind, jobId, 'failures { index subject code reason message values }')).toEqual(
            noted,
          );
        }
        if (kind !== 'reports') continue;
        const file = await fetch(new URL(ended.downloadUrl ?? '', second.program.url));
        expect((await file.text()).slice(0, 5)).toBe('%PDF-');
      }

      targets.splice(0, Infinity, first.program.url);
      const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-20`, stage: 'reply' });
      const order = { value: argumentOf(createAccounts(prefix, ITEMS)), key: randomUUID() };
      const started = await first.graphql(startWithKey('accounts'), order, await first.bearer());
      const { jobId } = started.data?.['job'] as { readonly jobId: string }; // as it was asked for
      await held.held();
      await waitFor('progress to be shown', async () => (await pollJob(second, 'accounts', jobId)).progress.done > 0);
      await first.program.kill();
      targets.splice(0, Infinity, second.program.url);
      held.release();
      const ended = await finishedJob(second, 'accounts', jobId);
      const created = sandbox.journal
        .effects('userAccountCreated')
        .filter(({ loginId }) => /^\d+$/.test(loginId.slice(prefix.length + 1)) && loginId.startsWith(prefix));
      expect(created.map(({ loginId }) => loginId)).toEqual(
        Array.from({ length: ITEMS }, (_, index) => `${prefix}-${index}`),
      );
      expect(ended).toMatchObject({ status: 'Success', createdUserAccountId: created.map(({ id }) => String(id)) });
      // The account in doubt was asked for by both, under one key. It has the time of the job, as for every keyed order.
      const asked = sandbox.journal.requests({ operation: 'createUserAccount' });
      const key = `acme:${jobId}:${Date.parse(ended.createdAt)}:20`;
      const ofItem = asked.filter(
        ({ idempotencyKey = '' }) => /:20$/.test(idempotencyKey) && idempotencyKey.includes(jobId),
      );
      expect(ofItem.map(({ idempotencyKey, replayed }) => [idempotencyKey, replayed])).toEqual([
        [key, false],
        [key, true],
      ]);
      await Promise.all([queueFunction.kill(), second.program.kill()]);
    },
  );
});
