/** Two attempts at the same driving report. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBackends, type Backends } from '../../../src/clients/connect-backends.js';
import { drivingReportsJob } from '../../../src/jobs/kinds/driving-reports-job.js';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import type { JobExecution } from '../../../src/jobs/job.js';
import { createReportRenderer, type ReportRenderer } from '../../../src/reports/render/renderer.js';
import type { ObjectStore } from '../../../src/objects/object-store.js';
import { captureLog } from '../../support/captured-log.js';
import { impatience } from '../jobs/impatience.js';
import { readPdf } from '../../support/pdf-text.js';

const { logger } = captureLog();

let sandbox: Sandbox;
let backends: Backends;
const renderers: ReportRenderer[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ logger, backendApiKey: 'service-key' });
  backends = connectBackends({
    urls: { backendApi: sandbox.backendApiUrl, geoApi: sandbox.geoApiUrl, voipApi: sandbox.voipApiUrl },
    keys: { backendApi: 'service-key', geoApi: undefined, voipApi: undefined },
    timeoutMs: 10_000,
    logger,
  });
});
afterAll(async () => {
  await Promise.all(renderers.map((renderer) => renderer.close()));
  await sandbox.close();
  await backends.close();
});

interface Attempt {
  readonly key: string;
  readonly bytes: Buffer;
  readonly progress: readonly number[];
}

const BODY = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: ['1', '77777', '3', '4', '5', '6'].map((mobileId) => ({
    mobileId,
    employeeCode: `E-${mobileId}`,
    employeeName: '佐藤 健一',
  })),
};

function startRenderer(): ReportRenderer {
  const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
  renderers.push(renderer);
  return renderer;
}

/** Runs the job as another process would, when its renderer is its own: with nothing in common but the record. */
async function attempt(renderer: ReportRenderer, changes: Partial<JobExecution> = {}): Promise<Attempt> {
  const objects: { key: string; bytes: Buffer }[] = [];
  const progress: number[] = [];
  const objectStore: ObjectStore = {
    async put(key, body) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
      const bytes = Buffer.concat(chunks);
      objects.push({ key, bytes });
      return { size: bytes.length };
    },
    downloadUrl: () => Promise.reject(new Error('Nobody downloads here.')),
    ping: () => Promise.resolve(),
  };
  const job = drivingReportsJob({
    ...backends,
    objectStore,
    renderer,
    maxDrivers: 10,
    locale: 'en',
    speedLimitKmh: 80,
  });
  const accepted = job.accept(BODY);
  if (accepted.kind !== 'work') throw new Error('The body has no faults.');
  const never = (): AbortSignal => new AbortController().signal;
  const { reply, failedItems } = await accepted.work.run({
    job: { kind: 'driving-reports', org: 'acme', jobId: '0190-report' },
    createdAt: Date.UTC(2026, 10, 20, 1, 2, 3),
    attempt: 1,
    checkpoint: undefined,
    doneBefore: 0,
    items: [],
    signal: never(),
    stopping: never(),
    deadline: never(),
    cancelled: never(),
    log: logger,
    patience: impatience(),
    saveProgress: ({ done }) => {
      progress.push(done);
      return Promise.resolve();
    },
    ...changes,
  });
  const [object] = objects;
  if (objects.length !== 1 || object === undefined) throw new Error('One object is stored.');
  expect(reply).toEqual({
    key: object.key,
    errorList: [expect.objectContaining({ mobileId: '77777', code: 'NotFound' })],
  });
  expect(failedItems).toEqual([1]);
  return { ...object, progress };
}

describe('a driving report that is made again by another attempt', () => {
  let first: Attempt;
  let renderer: ReportRenderer;
  beforeAll(async () => {
    renderer = startRenderer();
    first = await attempt(renderer);
  });

  it('has the same key and the same bytes, whatever order its data arrives in', async () => {
    // The second attempt gets its data late and out of order.
    sandbox.faults.set({ mobileId: '1', fault: { kind: 'slow', milliseconds: 120 } });
    sandbox.faults.set({ mobileId: '4', fault: { kind: 'slow', milliseconds: 60 } });
    const second = await attempt(startRenderer(), { attempt: 2, checkpoint: '{}', doneBefore: 4 });
    expect(first.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(second.key).toBe(first.key);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect((await readPdf(first.bytes)).pages.length).toBeGreaterThan(5);
    expect(first.progress).toEqual([1, 2, 3, 4, 5, 6]);
    // What pollers have seen does not go back.
    expect(second.progress).toEqual([4, 4, 4, 4, 5, 6]);
  });

  it('has other bytes when it was ordered at another time, so the comparison does tell', async () => {
    const later = await attempt(renderer, { createdAt: Date.UTC(2026, 10, 21) });
    expect(later.bytes.equals(first.bytes)).toBe(false);
  });

  it('stores nothing when it is cut off', async () => {
    const cutOff = new AbortController();
    cutOff.abort(new Error('cut off'));
    await expect(attempt(renderer, { signal: cutOff.signal })).rejects.toThrow('cut off');
  });
});
