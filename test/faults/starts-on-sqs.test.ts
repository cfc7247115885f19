/** SQS loses its answers to jobs that are started, or refuses them: users read what becomes of a job, which is done once. */
import { afterEach, expect, it } from '@jest/globals';
import { textOf } from '../../src/base/error-table.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { describeOnSqs, isSend, startFauxqs } from '../support/fauxqs.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests } from '../support/resources.js';
import { startRouter, type Treatment } from '../support/router.js';
import { finishedJob, pollJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { IN_TIME } from './site.js';

const REFUSED = {
  status: 403,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: '{"__type":"com.amazonaws.sqs#AccessDenied"}',
};

const START = `mutation($name: String!, $key: String) {
  job: startBulkUpdateMobile(items: [{ id: 1, name: $name }], idempotencyKey: $key) { jobId } }`;

describeOnSqs('A start on Amazon SQS', () => {
  const redis = forAllTests(() => startRedis());
  const sqs = forAllTests(startFauxqs);
  const queue = forAllTests(() => sqs.createQueue());
  const router = forAllTests(() => startRouter(sqs.url));
  const gateway = forAllTests(async () => {
    const [port = 0] = await freePorts(1);
    const url = queue.url.replace(sqs.url, router.url);
    return startTestGateway({ PORT: String(port), REDIS_URL: redis.url, SQS_QUEUE_URL: url }, { production: true });
  });
  const programs = forAllTests(() => BuiltPrograms.open());
  forAllTests(() => {
    const stores = { REDIS_URL: redis.url, SQS_QUEUE_URL: queue.url, DATA_DIR: gateway.dataDir };
    return programs.startQueueFunction({ ...PRODUCTION_ENVIRONMENT, ...stores, GATEWAY_URL: gateway.url });
  });
  afterEach(() => router.answer(() => 'forward'));

  /** Treats the messages of starts from now on, the last one like all after it. @returns these messages */
  function treatSends(...treatments: readonly Treatment[]): readonly string[] {
    const sent: string[] = [];
    router.answer((_request, body, incoming) => {
      if (!isSend(incoming)) return 'forward';
      sent.push((JSON.parse(body) as { MessageBody: string }).MessageBody); // as SQS has it
      return treatments[sent.length - 1] ?? treatments.at(-1) ?? 'forward';
    });
    return sent;
  }

  const order = async (name: string, key?: string): Promise<GraphQLReply> =>
    gateway.graphql(START, { name, key }, await gateway.bearer());
  const jobOf = ({ data, text }: GraphQLReply): string => {
    const job = data?.['job'] as { jobId: string } | null | undefined; // as selected
    if (!job) throw new Error(`The job was not accepted: ${text}`);
    return job.jobId;
  };
  const done = (name: string): number =>
    gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name).length;
  const listed = async (): Promise<unknown> =>
    (await gateway.graphql('{ jobs { edges { node { jobId } } } }', {}, await gateway.bearer())).data;

  async function expectDoneOnce(name: string, jobId: string): Promise<void> {
    expect(await finishedJob(gateway, 'mobiles', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
    await waitFor('the queue to be empty', async () => (await queue.size()) === 0, IN_TIME);
    expect(done(name)).toBe(1);
  }

  it('whose message arrives although its answer is lost is accepted; the message that is sent again does nothing', async () => {
    const sent = treatSends('forward-and-cut');
    const jobId = jobOf(await order('lost answer'));
    expect(sent).toHaveLength(2);
    await expectDoneOnce('lost answer', jobId);
  });

  it.each<[what: string, treatments: readonly Treatment[]]>([
    ['cut off twice', ['cut', 'cut']],
    ['cut off and then refused', ['cut', REFUSED]],
    ['answered 500 and then refused', [{ status: 500 }, REFUSED]],
  ])(
    'whose message is %s may have arrived, is accepted, stays so when SQS refuses its repetition, and is sent with the next',
    async (what, treatments) => {
      const sent = treatSends(...treatments);
      const jobId = jobOf(await order(what, what));
      expect([sent.length, await pollJob(gateway, 'mobiles', jobId)]).toMatchObject([2, { state: 'PENDING' }]);
      for (const treatment of [REFUSED, 'forward'] as const) {
        treatSends(treatment);
        expect(jobOf(await order(what, what))).toBe(jobId);
      }
      await expectDoneOnce(what, jobId);
    },
  );

  it('is made in the second try, if that is answered', async () => {
    const sent = treatSends('cut', 'forward');
    await expectDoneOnce('second try', jobOf(await order('second try')));
    expect(sent).toHaveLength(2);
  });

  it('that SQS surely refuses is in no list, its message is not run if it comes late, and a new one takes its place', async () => {
    const before = await listed();
    const sent = treatSends(REFUSED);
    const { errors } = await order('refused', 'other key');
    expect(errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable', reason: 'StoreUnavailable' } }]);
    expect([sent.length, await listed()]).toEqual([1, before]);
    await queue.send(sent[0] ?? '');
    await waitFor('the dead letter', async () => (await queue.size(queue.deadLetterUrl)) === 1, IN_TIME);
    expect([done('refused'), await listed()]).toEqual([0, before]);
    const { jobId } = JSON.parse(sent[0] ?? '') as { jobId: string }; // openapi/messages.md
    for (const field of [
      'query ($jobId: ID!) { job',
      'query ($jobId: ID!) { fetchBulkUpdateMobileStatus',
      'mutation ($jobId: ID!) { cancelJob',
    ]) {
      const asked = await gateway.graphql(`${field}(jobId: $jobId) { jobId } }`, { jobId }, await gateway.bearer());
      expect(asked.errors).toMatchObject([{ extensions: { code: 'NotFound', reason: 'UnknownJob' } }]);
    }
    const refused = { status: 422, body: { message: textOf('StartRefused') } };
    expect(await gateway.callback(MOBILES, [{ id: 1, name: 'refused' }], jobHeaders(jobId))).toMatchObject(refused);
    router.answer(() => 'forward');
    await expectDoneOnce('refused', jobOf(await order('refused', 'other key')));
  });
});
