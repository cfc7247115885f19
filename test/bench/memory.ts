/**
 * Measures the resident memory of one gateway with embedded jobs, as the image starts it:
 * `.ci/with-node24 npm run bench:memory`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BuiltPrograms } from '../support/built-programs.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { OPERATIONS, type PolledStatus } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { repeated } from './job-site.js';

const IDLE_MS = 10_000;
const REQUESTS = 4_000;
const JOBS = 1_000;
const AT_ONCE = 50;
const DRIVERS = 10_000;
const REPORT_MS = 1_200_000;
const PAGE =
  '{ mobiles(first: 50) { edges { node { id num name position { address } voice { online } } } totalCount } }';

/** Reads a field of a process, in MiB (proc(5), `status`). */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024).toFixed(0);
}

async function measure(): Promise<void> {
  // Backends with a memory and a core of their own.
  const backends = fork(fileURLToPath(import.meta.url), ['backends'], { execArgv: ['--import', 'tsx'] });
  const [programs, [{ env, token }]] = await Promise.all([
    BuiltPrograms.open(),
    once(backends, 'message') as Promise<[Awaited<ReturnType<typeof serveBackends>>]>, // as it sends
  ]);
  try {
    const limits = { JOBS_MAX_OPEN_PER_ORG: '10000', ITEMS_MAX_PER_MINUTE_PER_ORG: '1000000' };
    const { url, pid } = await programs.startGateway({ ...env, ...limits, DATA_DIR: programs.directory });
    const ask = graphqlAt(url);
    const bearer = `Bearer ${token}`;
    const order = async (kind: 'mobiles' | 'reports', value: object): Promise<string> => {
      const { data, text } = await ask(OPERATIONS[kind].start, { value }, bearer);
      const { jobId } = (data?.['job'] ?? {}) as { readonly jobId?: string }; // as the operation selects
      if (jobId === undefined) throw new Error(`The order was refused: ${text}`);
      return jobId;
    };
    const ended = async (kind: 'mobiles' | 'reports', jobId: string, timeoutMs: number): Promise<PolledStatus> =>
      waitFor(
        `the job of ${kind}`,
        async () => {
          const { data } = await ask(OPERATIONS[kind].poll, { jobId }, bearer);
          const status = data?.['status'] as PolledStatus | undefined; // as the operation selects
          return status?.completed === true ? status : undefined;
        },
        timeoutMs,
      );
    const say = (state: string, field: 'VmRSS' | 'VmHWM'): void =>
      void process.stdout.write(`${state}: ${memoryOf(pid, field)} MiB\n`);

    await delay(IDLE_MS);
    say(`${IDLE_MS / 1_000} s after the start`, 'VmRSS');
    await repeated(REQUESTS, AT_ONCE, () => ask(PAGE, {}, bearer));
    say(`most until after ${REQUESTS} pages of mobiles`, 'VmHWM');
    let last = '';
    await repeated(JOBS, AT_ONCE, async () => {
      last = await order('mobiles', [{ id: 1, name: 'Truck 1' }]);
      await ended('mobiles', last, REPORT_MS);
    });
    say(`most until after ${JOBS} jobs`, 'VmHWM');
    const drivers = Array.from({ length: DRIVERS }, (_, index) => ({
      mobileId: String((index % 50) + 1),
      employeeCode: `E-${index}`,
      employeeName: `Driver ${index}`,
    }));
    const report = await order('reports', { date: '2026-11-19T00:00:00+09:00', drivers });
    const { status } = await ended('reports', report, REPORT_MS);
    say(`most until after a report of ${DRIVERS} drivers (${status})`, 'VmHWM');
  } finally {
    await programs.close();
    backends.disconnect();
  }
}

/** Serves the backends in this process. @returns what a gateway needs to call them, and the token of a user */
async function serveBackends() {
  const sandbox = await startBackends();
  process.once('disconnect', () => void sandbox.close().then(() => process.exit()));
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  return { env: productionAt(sandbox), token: await sandbox.mintToken({ claims: { exp } }) };
}

if (process.send === undefined) await measure();
else process.send(await serveBackends());
