/** A queue function that takes its messages out of the gateway's own queue in Redis, with BullMQ. */
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq';
import { createDeliver, type JobMessage } from 'vehicle-location-gateway-deliver';

const { GATEWAY_URL, TASK_CALLBACK_API_KEY, JOB_ENCRYPTION_KEY, CALLBACK_SIGNING_SECRET, REDIS_URL } = process.env;

const stopping = new AbortController();
const deliver = createDeliver({
  gatewayUrl: GATEWAY_URL ?? '',
  apiKey: TASK_CALLBACK_API_KEY ?? '',
  jobEncryptionKey: JOB_ENCRYPTION_KEY ?? '',
  signingSecret: CALLBACK_SIGNING_SECRET,
  stopping: stopping.signal,
});

/** BullMQ counts a throw as an attempt, but for the two errors that it knows. */
async function handle(job: Job<JobMessage>, token: string | undefined): Promise<void> {
  const outcome = await deliver(job.data, { since: job.timestamp });
  switch (outcome.kind) {
    case 'done':
      return;
    case 'delay':
      await job.moveToDelayed(Date.now() + outcome.delayMs, token);
      throw new DelayedError();
    case 'retry':
      // Other workers have to know: a lost reply is counted once in ten minutes.
      await job.updateData({ ...job.data, failedAt: Date.now() });
      throw new Error(outcome.reason);
    case 'final':
      throw new UnrecoverableError(outcome.reason);
  }
}

const worker = new Worker<JobMessage>('jobs', handle, {
  prefix: '{gateway}',
  connection: { url: REDIS_URL ?? '', maxRetriesPerRequest: null },
  concurrency: 8,
  // A message whose worker died is delivered again; by default BullMQ gives it up the second time.
  maxStalledCount: 5,
  // Messages name a back-off of the gateway's own: 1 s after the first failed attempt, doubled after each, at most 60 s.
  settings: { backoffStrategy: (attempts) => Math.min(1_000 * 2 ** (attempts - 1), 60_000) },
});
worker.on('error', (error) => console.error(error.message));
worker.on('ready', () => console.log('ready'));

process.once('SIGTERM', () => {
  // The gateway goes on with what runs; its messages come back.
  stopping.abort();
  void worker.close();
});
