/** A full disk, a queue that hangs and a queue function that is gone, with nothing but dashboard, alerts and log. */
import { describe, expect, it } from '@jest/globals';
import { startFauxqs } from '../support/fauxqs.js';
import { startTestGateway } from '../support/gateway.js';
import { reportOf } from '../support/job-requests.js';
import { OperatorsView } from './operators-view.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { describeOnSmallDisk, makeSmallDisk } from '../support/small-disk.js';
import { finishedJob, requestStart, startJob } from '../support/started-jobs.js';
import { describeOnSqs, requireTool } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const MOBILES = [{ id: 1, name: 'A mobile' }];
const NOT_SCRAPED = 'up{job="vehicle-location-queue-function",instance="b"}';

const hasPromtool = requireTool('promtool');

(hasPromtool ? describeOnSmallDisk : describe.skip)('a full disk', () => {
  it('differs from the others, and is over when there is space again', async () => {
    const disk = closeAfterTest(await makeSmallDisk(64));
    const gateway = closeAfterTest(await startTestGateway({ METRICS_PORT: '0' }, { dataDir: disk.directory }));
    const view = closeAfterTest(await OperatorsView.open(gateway));
    const hold = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    await startJob(gateway, 'reports', reportOf(1));
    await hold.held();
    await view.begin();
    await disk.fill();
    hold.release();
    await Promise.all(Array.from({ length: 5 }, () => requestStart(gateway, 'mobiles', MOBILES)));
    await view.expectToShow({
      down: ['job-store', 'object-store', 'queue'],
      alerts: ['JobStoreDown', 'ObjectStoreDown', 'UploadsFail'],
      panels: [['Warnings and errors of the log', { event: 'dependency.failed' }]],
      log: [
        ['dependency.failed', /Jobs cannot be kept in .*(no space left|disk is full).*Free space on its disk/],
        ['dependency.failed', /The disk of DATA_DIR is full\. Make room/],
      ],
    });
    await disk.makeRoom();
    await view.begin();
    const { jobId } = await startJob(gateway, 'reports', reportOf(1));
    expect(await finishedJob(gateway, 'reports', jobId)).toMatchObject({ status: 'Success' });
  });
});

(hasPromtool ? describeOnSqs : describe.skip)('with a queue of its own, an outage', () => {
  const redis = forAllTests(() => startRedis());
  const sqs = forAllTests(startFauxqs);
  const queue = forAllTests(() => sqs.createQueue());
  const gateway = forAllTests(() =>
    startTestGateway({ METRICS_PORT: '0', REDIS_URL: redis.url, SQS_QUEUE_URL: queue.url }, { production: true }),
  );
  const view = forAllTests(() => OperatorsView.open(gateway));

  it('of the queue differs from one of Redis', async () => {
    await view.begin();
    sqs.pause();
    try {
      await requestStart(gateway, 'mobiles', MOBILES);
      await view.expectToShow({
        down: ['queue'],
        alerts: ['JobStoreDown', 'QueueUnknown'],
        // Orders whose send is in doubt are accepted, so users see no error.
        panels: [],
        log: [['dependency.failed', /"dependency":"Amazon SQS","fault":".*does not answer/]],
      });
    } finally {
      sqs.resume();
    }
  });

  it('of the queue function shows in a queue that is not drained', async () => {
    await view.begin();
    // In production the gateway leaves the queue to queue functions, and none runs.
    await startJob(gateway, 'mobiles', MOBILES);
    await waitFor(
      'the job to wait',
      async () => ((await gateway.scrape()).value('gateway_queue_oldest_seconds') ?? 0) > 0,
    );
    await view.expectToShow({
      down: [],
      alerts: ['ProgramDown', 'QueueNotDrained'],
      panels: [
        ['Queue', {}],
        ['Oldest waiting job', {}],
      ],
      log: [],
      // As Prometheus has it: the one cannot be scraped, and for the other time goes on.
      others: { [NOT_SCRAPED]: '1x5 0x25', 'gateway_queue_oldest_seconds{instance="a"}': '0+60x30' },
    });
  });
});
