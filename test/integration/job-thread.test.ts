/** One job through the logs of the built programs: who ordered it, what became of it, in which request. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { CALLBACK_PATHS } from '../../src/jobs/record/job-kinds.js';
import { jobRecordKey } from '../../src/jobs/record/job-record.js';
import { entriesOf, type LogEntry } from '../support/captured-log.js';
import { BuiltPrograms, ROOT, type ServingProgram } from '../support/built-programs.js';
import type { ChildProgram } from '../support/child-program.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { reportOf } from '../support/job-requests.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, startJob, type JobGateway } from '../support/started-jobs.js';
import { startRedis } from '../support/redis-server.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** The command that follows a job, as it stands in the README, and beside what the lines mean. */
function command(): string {
  const [line, ...others] = ['README.md', 'deploy/log-events.md'].map(
    (page) => /^grep -h JOB_ID .*$/m.exec(readFileSync(path.join(ROOT, page), 'utf8'))?.[0],
  );
  expect(others).toEqual([line]);
  if (line === undefined) throw new Error('The page has no such command.');
  return line;
}

const isDownload = ({ method }: LogEntry): boolean => method === 'GET';

describeWith(['redis-server'], 'the log of a gateway and a queue function', () => {
  const directory = forAllTests(temporaryDirectory);
  const sandbox = forAllTests(startBackends);
  const redis = forAllTests(() => startRedis());
  const programs = forAllTests(() => BuiltPrograms.open());
  let gateway: ServingProgram;
  let queueFunction: ChildProgram;
  let front: JobGateway;

  beforeAll(async () => {
    const environment = {
      ...productionAt(sandbox),
      REDIS_URL: redis.url,
      DATA_DIR: directory.path,
      // As it is by default.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: '',
    };
    gateway = await programs.startGateway(environment);
    queueFunction = await programs.startQueueFunction({
      ...environment,
      GATEWAY_URL: gateway.url,
      SHUTDOWN_DRAIN_SECONDS: '0',
    });
    front = {
      graphql: graphqlAt(gateway.url),
      bearer: async () => `Bearer ${await sandbox.mintToken({ claims: { loggedin_id: 'demo' } })}`,
    };
  });

  async function follow(jobId: string): Promise<readonly LogEntry[]> {
    await writeFile(path.join(directory.path, 'gateway.log'), await gateway.output());
    await writeFile(path.join(directory.path, 'queue-function.log'), await queueFunction.output());
    const { stdout } = await promisify(execFile)('sh', ['-c', command().replace('JOB_ID', jobId)], {
      cwd: directory.path,
    });
    return entriesOf(stdout);
  }

  it('follows a report from the mutation to the download of the PDF, with who ordered it and in which requests', async () => {
    const { jobId } = await startJob(front, 'reports', reportOf(1, 2));
    const { downloadUrl } = await finishedJob(front, 'reports', jobId);
    expect((await fetch(new URL(downloadUrl ?? '', gateway.url))).status).toBe(200);
    const thread = await waitFor('the lines of both programs', async () => {
      const lines = await follow(jobId);
      // The queue function may note its delivery after the download.
      return lines.some(({ event }) => event === 'delivery.done') && lines.some(isDownload) && lines;
    });
    const named = (event: string, path?: unknown): LogEntry | undefined =>
      thread.find((line) => line.event === event && (path === undefined || line['path'] === path));

    const events = thread.map(({ event }) => event);
    const ofJob = ['job.accepted', 'job.started', 'report.stored', 'job.finished'];
    expect(events.toSorted()).toEqual(
      [...ofJob, 'delivery.done', ...Array<string>(3).fill('request.handled')].toSorted(),
    );
    expect(events.filter((event) => ofJob.includes(event))).toEqual(ofJob);
    const path = expect.stringContaining(`/${jobId}.pdf`);
    expect(thread.find(isDownload)).toMatchObject({ path, status: 200 });

    const job = { jobId, kind: 'driving-reports', org: 'acme' };
    const accepted = named('job.accepted');
    const orderedBy = { BackendUser: expect.any(String), LoggedInId: 'demo' };
    expect(accepted).toMatchObject({ ...job, level: 'info', service: 'gateway', items: 2, orderedBy });
    expect(named('request.handled', '/graphql')).toMatchObject({
      jobId,
      requestId: accepted?.['requestId'],
      rootFields: ['startDrivingReports'],
      errors: 0,
      status: 200,
      durationMs: expect.any(Number),
    });
    const client = redis.client();
    const kept = await client.hget(jobRecordKey({ ...job, kind: 'driving-reports' }), 'ordered_by');
    await client.quit();
    expect(JSON.parse(kept ?? '')).toEqual(accepted?.['orderedBy']);

    // It ran in the request that the queue function made for it.
    const requestId = named('delivery.done')?.['requestId'];
    expect(requestId).toEqual(expect.any(String));
    expect(named('delivery.done')).toMatchObject({ ...job, service: 'queue-function', attempt: 1 });
    const about = { ...job, service: 'gateway', requestId };
    for (const event of ofJob.slice(1)) expect(named(event)).toMatchObject({ ...about, attempt: 1 });
    expect(named('request.handled', CALLBACK_PATHS['driving-reports'])).toMatchObject({ ...about, status: 200 });
    expect(named('report.stored')).toMatchObject({ key: expect.stringContaining(jobId), bytes: expect.any(Number) });
    expect(named('job.finished')).toMatchObject({
      outcome: 'Success',
      items: 2,
      failedItems: 0,
      durationMs: expect.any(Number),
      sinceAcceptedMs: expect.any(Number),
    });
  });

  it('says of a callback whose caller goes away what the caller saw, which is nothing, and its job goes on', async () => {
    const hold = sandbox.faults.hold({ operation: 'updateMobile' });
    const { jobId } = await startJob(front, 'mobiles', [{ id: 1, name: 'held' }]);
    await hold.held();
    await queueFunction.stop();
    const cut = await waitFor('the line of the callback', async () =>
      entriesOf(await gateway.output(), 'request.cut_short').at(0),
    );
    expect(cut).toMatchObject({
      status: 499,
      jobId,
      kind: 'mobiles',
      requestId: expect.any(String),
      path: CALLBACK_PATHS.mobiles,
    });
    expect(entriesOf(await queueFunction.output())).toContainEqual(
      expect.objectContaining({ event: 'delivery.interrupted', requestId: cut['requestId'], jobId, kind: 'mobiles' }),
    );
    hold.release();
    expect(await finishedJob(front, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
  });

  it('has JSON in every line of every program, with a level as a word, service and version, whatever libraries have to say', async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const bucket = { S3_BUCKET: 'reports', S3_ENDPOINT: 'http://127.0.0.1:1' };
    // From two places, of which the SDK says that it is one too many.
    const credentials = { AWS_PROFILE: 'somebody', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const other = await programs.startGateway({
      ...productionAt(sandbox),
      ...bucket,
      ...credentials,
      REDIS_URL: redis.url,
      NODE_OPTIONS:
        "--import data:text/javascript,process.on('SIGUSR2',()=>{process.emitWarning('made-by-the-test');console.error('%25s-is-missing','it')})",
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: '',
    });
    other.signal('SIGUSR2');
    await fetch(`${other.url}/health/ready`);
    await waitFor('the warning', async () => (await other.output()).includes('made-by-the-test'));
    await other.stop();
    for (const [service, program] of [
      ['gateway', gateway],
      ['gateway', other],
      ['queue-function', queueFunction],
    ] as const) {
      const output = await program.output();
      expect(entriesOf(output)).toHaveLength(output.trimEnd().split('\n').length);
      for (const line of entriesOf(output)) {
        expect(line).toMatchObject({ level: expect.stringMatching(/^[a-z]+$/), time: expect.any(Number) });
        expect(line).toMatchObject({ event: expect.any(String), service, version });
      }
    }
    const warnings = entriesOf(await other.output(), 'process.warned');
    const reasons = warnings.map((warning) => warning['reason']).join();
    expect(reasons).toMatch(/Warning: made-by-the-test/);
    // The console of a library.
    expect(reasons).toMatch(/it-is-missing/);
    expect(reasons).toMatch(/AWS SDK: [^]*Multiple credential sources/);
    const [major = 0] = process.versions.node.split('.').map(Number);
    // The warning of the SDK depends on the version of Node.js.
    if (major < 22) expect(reasons).toMatch(/NodeVersionSupportWarning/);
  });
});
