/** Driving report jobs, judged by the PDF a user downloads. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { components as BackendComponents } from '../../generated/backend-api.js';
import type { components } from '../../generated/gateway.js';
import type { DriverOutcome } from '../../src/reports/model.js';
import { coverPages } from '../../src/reports/page/cover-layout.js';
import { createReportRenderer } from '../../src/reports/render/renderer.js';
import { postJson, startTestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { readPdf, type ReadPdf } from '../support/pdf-text.js';
import { closeAfterTest, gatewayForAllTests } from '../support/resources.js';
import { sampleOutcomes } from '../support/sample-report.js';
import { finishedJob, pollJob, startJob, tableOfReport } from '../support/started-jobs.js';
import { OPTIONS } from '../unit/reports/drawn.js';

type Driver = components['schemas']['Driver'];
type Reply = components['schemas']['DrivingReportReply'];
type Trip = BackendComponents['schemas']['Trip'];

const DATE = '2026-11-19T12:34:56+09:00';
const DAY = ['2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00'] as const;
const MASTER_KEY = Buffer.alloc(32, 3);

const gateway = gatewayForAllTests({
  JOB_ENCRYPTION_KEY: MASTER_KEY.toString('base64url'),
  // Longer than a circuit stays open: one driver's outage is not that of the others.
  JOB_PATIENCE_SECONDS: '8',
});

/** Waits no longer than a second for a backend. */
const impatient = gatewayForAllTests();

const SATO: Driver = { mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' };

interface Made {
  readonly jobId: string;
  readonly reply: Reply;
  readonly link: string;
  readonly bytes: Uint8Array;
  readonly pdf: ReadPdf;
}

async function makeReport(drivers: readonly Driver[], date = DATE, at = gateway): Promise<Made> {
  const jobId = randomUUID();
  const { status, body } = await at.callback(DRIVING_REPORT, { date, drivers }, jobHeaders(jobId));
  expect(status).toBe(200);
  const link = (await pollJob(at, 'reports', jobId)).downloadUrl ?? '';
  const response = await fetch(link);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { jobId, reply: body as Reply, link, bytes, pdf: await readPdf(bytes.slice()) };
}

async function askBackend<T>(path: string): Promise<T> {
  const headers = { 'x-api-key': 'development-backend-key', 'x-org-id': 'acme' };
  return (await (await fetch(`${gateway.sandbox.backendApiUrl}${path}`, { headers })).json()) as T; // the sandbox keeps its contract
}

async function tripsOf(mobileId: string, from: string, to: string): Promise<readonly Trip[]> {
  const query = new URLSearchParams({ from, to }).toString();
  return (await askBackend<{ trips: Trip[] }>(`/v1/mobiles/${mobileId}/driving-record?${query}`)).trips;
}

async function addressesOf(trips: readonly Trip[]): Promise<readonly (string | null)[]> {
  const points = trips.flatMap(({ start, end }) => [start, end]).map(({ lat, lng }) => ({ lat, lng }));
  const response = await postJson(`${gateway.sandbox.geoApiUrl}/v1/reverse-geocode`, { points });
  return ((await response.json()) as { addresses: (string | null)[] }).addresses; // the sandbox keeps its contract
}

/** `hh:mm` at an offset in minutes east of UTC. */
function clock(time: string, offsetMinutes: number): string {
  return new Date(Date.parse(time) + offsetMinutes * 60_000).toISOString().slice(11, 16);
}

/** The text of a page as one run: where it wraps is of no interest here. */
function run(page: string | undefined): string {
  return (page ?? '').replaceAll(/\s/g, '');
}

/** The cover and the first page of each driver; blocks for handwriting may need a further one. */
const firstPages = (pages: readonly string[]): readonly string[] => pages.filter((page) => !page.includes('continued'));

describe('the PDF of a driving report', () => {
  it('has a page for its one driver with name, code, vehicle, trips and addresses', async () => {
    const { pdf, reply } = await makeReport([SATO]);
    const trips = await tripsOf('1', ...DAY);
    expect(trips.length).toBeGreaterThan(3);
    expect(reply.errorList).toBeNull();
    expect(firstPages(pdf.pages)).toHaveLength(1);
    const [page = ''] = pdf.pages;
    const { num } = await askBackend<{ num: string }>('/v1/mobiles/1');
    for (const shown of ['佐藤健一', 'E-1001', 'acme', '19November2026', 'UTC+09:00', 'Limit80', run(num)])
      expect(run(page)).toContain(shown);
    for (const [index, { start, end }] of trips.entries()) {
      const cells = [String(index + 1), clock(start.time, 540), clock(end.time, 540)];
      expect(page.split('\n')).toEqual(expect.arrayContaining(cells));
    }
    const addresses = await addressesOf(trips);
    expect(addresses.filter((address) => address !== null).length).toBeGreaterThan(0);
    for (const address of addresses) expect(run(page)).toContain(run(address ?? ''));

    impatient.sandbox.faults.set({ operation: 'getMobile', fault: { kind: 'status', status: 500 } });
    const without = await makeReport([SATO], DATE, impatient);
    expect(without.reply.errorList).toBeNull();
    expect(run(without.pdf.pages[0])).not.toContain(run(num));
    expect(run(without.pdf.pages[0])).toContain('佐藤健一');
  });

  it('has the language, the speed limit, the tags, the form and the era that the gateway was set up for', async () => {
    const file = join(tmpdir(), `form-${randomUUID()}.json`);
    closeAfterTest({ close: () => rm(file) });
    await writeFile(file, JSON.stringify({ ja: { blocks: ['odometer'], stamps: ['所長'], era: true } }));
    const japanese = closeAfterTest(
      await startTestGateway({
        REPORT_LOCALE: 'ja',
        REPORT_SPEED_LIMIT_KMH: '30',
        REPORT_MAX_TAGGED_PAGES: '0',
        REPORT_FORM_FILE: file,
      }),
    );
    const { pdf, bytes } = await makeReport([SATO], DATE, japanese);
    const text = run(pdf.pages.join(''));
    for (const shown of ['運転日報', '令和8年11月19日', '制限30', '所長', '出庫時メーター'])
      expect(text).toContain(shown);
    for (const left of ['運行管理者', '点呼・酒気帯び確認', '備考']) expect(text).not.toContain(left);
    const usual = await makeReport([SATO]);
    const isTagged = [bytes, usual.bytes].map((each) => Buffer.from(each).includes('/StructTreeRoot'));
    expect(isTagged).toEqual([false, true]);
  });

  it('names its orderer, and is made in the name, language and zone of its organisation', async () => {
    const file = join(tmpdir(), `form-${randomUUID()}.json`);
    closeAfterTest({ close: () => rm(file) });
    const acme = { name: '東都運輸株式会社', locale: 'ja', timeZone: 'Asia/Tokyo', drivingRules: 'japan-2024' };
    await writeFile(file, JSON.stringify({ organisations: { acme } }));
    const of = closeAfterTest(await startTestGateway({ REPORT_FORM_FILE: file, REPORT_TIME_ZONE: 'UTC' }));
    // The instant is of the next day in Tokyo.
    const input = { date: '2026-11-18T20:00:00Z', drivers: [SATO] };
    const { jobId } = await startJob(of, 'reports', input);
    const { key, downloadUrl } = await finishedJob(of, 'reports', jobId);
    expect(key).toBe(`driving-reports/org/acme/2026-11-19/${jobId}.pdf`);
    const response = await fetch(downloadUrl ?? '');
    expect(response.headers.get('content-disposition')).toContain(`driving-report-2026-11-19-${jobId}.pdf`);
    const { tableUrl, warnings } = await tableOfReport(of, jobId);
    const table = await fetch(tableUrl ?? '');
    expect([table.headers.get('content-type'), warnings]).toEqual(['text/csv; charset=utf-8', []]);
    expect(table.headers.get('content-disposition')).toContain(`driving-report-2026-11-19-${jobId}.csv`);
    expect(await table.text()).toMatch(
      /\r\ndriver,2026-11-19,1,1,E-1001,佐藤 健一,.*\r\ntrip,2026-11-19,1,1,.*T\d\d:\d\d:00\+09:00/,
    );
    const { pages } = await readPdf(new Uint8Array(await response.arrayBuffer()));
    for (const page of pages) expect(page).toMatch(/依頼者 \S/);
    for (const shown of ['東都運輸株式会社', '運転日報', '2026年11月19日', 'UTC+09:00', '改善基準告示'])
      expect(run(pages.join(''))).toContain(shown);
    const unlisted = { ...jobHeaders(randomUUID()), 'x-org-id': 'other' };
    const { body } = await of.callback(DRIVING_REPORT, input, unlisted);
    expect((body as Reply).key).toContain('/org/other/2026-11-18/');
  });
});

describe('the download link', () => {
  it('leads to a PDF that is saved, kept by no cache, and is good for five minutes', async () => {
    const before = Date.now();
    const { link, jobId } = await makeReport([]);
    const { headers } = await fetch(link);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="driving-report-2026-11-19-${jobId}.pdf"`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const end = Number(new URL(link).searchParams.get('exp'));
    expect(end).toBeGreaterThanOrEqual(before + 300_000);
    expect(end).toBeLessThanOrEqual(Date.now() + 300_000);
  });
});

/** More than are tagged; `npm run test:soak` draws 10,000, which are the most that are taken. */
const DRIVERS = Number(process.env['REPORT_DRIVERS'] ?? 310);

it(`A report of ${DRIVERS} drivers has a page for each that has data, behind a cover that lists them all`, async () => {
  const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
  const parts: Uint8Array[] = [];
  const drawn: string[] = [];
  async function* outcomes(): AsyncGenerator<DriverOutcome> {
    for await (const outcome of sampleOutcomes(DRIVERS, { locale: 'en', tripsPerDriver: 2, trackPoints: 10 })) {
      if (outcome.kind === 'day') drawn.push(outcome.driver.employeeCode);
      yield outcome;
    }
  }
  try {
    const report = { ...OPTIONS, driverCount: DRIVERS };
    for await (const part of renderer.render(report, outcomes, new AbortController().signal)) parts.push(part);
  } finally {
    await renderer.close();
  }
  const { pages, pageCount } = await readPdf(Buffer.concat(parts), -1);
  expect(pageCount).toBe(drawn.length + coverPages(DRIVERS));
  expect(pages[0]).toContain(drawn.at(-1));
  expect(pages[0]?.replaceAll('\n', ' ')).toContain(`Page ${pageCount}`);
}, 600_000);
