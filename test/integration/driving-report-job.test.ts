/** Driving report jobs, judged by the PDF a user downloads. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { components as BackendComponents } from '../../generated/backend-api.js';
import type { components } from '../../generated/gateway.js';
import { KeyRing } from '../../src/config/key-ring.js';
import { createLogger } from '../../src/logging/logger.js';
import { createFileObjectStore } from '../../src/objects/files/file-object-store.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { readPdf, type ReadPdf } from '../support/pdf-text.js';
import { pollJob } from '../support/started-jobs.js';

type Driver = components['schemas']['Driver'];
type Reply = components['schemas']['DrivingReportReply'];
type Trip = BackendComponents['schemas']['Trip'];

const DATE = '2026-11-19T12:34:56+09:00';
const MASTER_KEY = Buffer.alloc(32, 3);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({
    JOB_ENCRYPTION_KEY: MASTER_KEY.toString('base64url'),
    // Much longer than a circuit stays open: one driver's outage is not that of the others.
    JOB_PATIENCE_SECONDS: '60',
  });
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

const SATO: Driver = { mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' };
const KIM: Driver = { mobileId: '2', employeeCode: 'E-1002', employeeName: '김민준' };
const WATANABE: Driver = { mobileId: '3', employeeCode: 'E-1003', employeeName: '渡邊 さくら' };

interface Made {
  readonly jobId: string;
  readonly reply: Reply;
  readonly link: string;
  readonly pdf: ReadPdf;
}

/** Makes a report and downloads it as its user would. */
async function makeReport(drivers: readonly Driver[], date = DATE, at = gateway): Promise<Made> {
  const jobId = randomUUID();
  const { status, body } = await at.callback(DRIVING_REPORT, { date, drivers }, jobHeaders(jobId));
  expect(status).toBe(200);
  const { downloadUrl } = await pollJob(at, 'reports', jobId);
  const link = downloadUrl ?? '';
  return { jobId, reply: body as Reply, link, pdf: await readPdf(await download(link)) };
}

async function download(link: string): Promise<Uint8Array> {
  const response = await fetch(link);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** What backend-api knows about a mobile between two moments. */
async function tripsOf(mobileId: string, from: string, to: string): Promise<readonly Trip[]> {
  const query = new URLSearchParams({ from, to });
  const response = await fetch(
    `${gateway.sandbox.backendApiUrl}/v1/mobiles/${mobileId}/driving-record?${query.toString()}`,
    { headers: { 'x-api-key': 'development-backend-key', 'x-org-id': 'acme' } },
  );
  return ((await response.json()) as { trips: Trip[] }).trips; // the sandbox keeps its contract
}

async function mobileOf(id: string): Promise<{ readonly num: string }> {
  const response = await fetch(`${gateway.sandbox.backendApiUrl}/v1/mobiles/${id}`, {
    headers: { 'x-api-key': 'development-backend-key', 'x-org-id': 'acme' },
  });
  return (await response.json()) as { num: string }; // the sandbox keeps its contract
}

async function addressesOf(trips: readonly Trip[]): Promise<readonly (string | null)[]> {
  const points = trips.flatMap(({ start, end }) => [start, end]).map(({ lat, lng }) => ({ lat, lng }));
  const response = await fetch(`${gateway.sandbox.geoApiUrl}/v1/reverse-geocode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ points }),
  });
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

describe('the PDF of a driving report', () => {
  it('has a page for its one driver with name, code, trips and addresses', async () => {
    const { pdf, reply } = await makeReport([SATO]);
    const trips = await tripsOf('1', '2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00');
    expect(trips.length).toBeGreaterThan(3);
    expect(reply.errorList).toBeNull();
    expect(pdf.pages).toHaveLength(1);
    const [page] = pdf.pages;
    const text = run(page);
    for (const shown of ['佐藤健一', 'E-1001', 'acme', '19November2026', 'UTC+09:00']) expect(text).toContain(shown);
    const lines = page?.split('\n') ?? [];
    for (const [index, { start, end }] of trips.entries()) {
      expect(lines).toEqual(expect.arrayContaining([String(index + 1), clock(start.time, 540), clock(end.time, 540)]));
    }
    const addresses = await addressesOf(trips);
    expect(addresses.filter((address) => address !== null).length).toBeGreaterThan(0);
    for (const address of addresses) expect(text).toContain(run(address ?? ''));
  });

  it('is in the language, marks the speed limit and carries the tags that the gateway was set up for', async () => {
    const japanese = await startTestGateway({
      REPORT_LOCALE: 'ja',
      REPORT_SPEED_LIMIT_KMH: '30',
      REPORT_MAX_TAGGED_PAGES: '0',
    });
    try {
      const made = await makeReport([SATO], DATE, japanese);
      for (const shown of ['運転日報', '2026年11月19日', '制限30']) expect(run(made.pdf.pages[0])).toContain(shown);
      const usual = await makeReport([SATO]);
      expect(run(usual.pdf.pages[0])).toContain('Limit80');
      const tagsOf = async ({ link }: Made): Promise<boolean> =>
        Buffer.from(await download(link)).includes('/StructTreeRoot');
      expect([await tagsOf(made), await tagsOf(usual)]).toEqual([false, true]);
    } finally {
      await japanese.close();
    }
  });

  it('leaves for the hand what the form says, and prints dates in the era that it asks for', async () => {
    const file = join(tmpdir(), `form-${randomUUID()}.json`);
    await writeFile(file, JSON.stringify({ ja: { blocks: ['odometer'], stamps: ['所長'], era: true } }));
    const japanese = await startTestGateway({ REPORT_LOCALE: 'ja', REPORT_FORM_FILE: file });
    try {
      const text = run((await makeReport([SATO], DATE, japanese)).pdf.pages.join(''));
      for (const shown of ['令和8年11月19日', '所長', '出庫時メーター']) expect(text).toContain(shown);
      for (const left of ['運行管理者', '点呼', '備考']) expect(text).not.toContain(left);
    } finally {
      await japanese.close();
      await rm(file);
    }
  });

  it('names the vehicle; when it cannot be had, only that is missing', async () => {
    const numOf = (page: string | undefined): boolean => run(page).includes(run(mobile.num));
    const mobile = await mobileOf('1');
    expect(numOf((await makeReport([SATO])).pdf.pages[0])).toBe(true);
    gateway.sandbox.faults.set({ operation: 'getMobile', fault: { kind: 'status', status: 500 } });
    const { pdf, reply } = await makeReport([SATO]);
    expect(reply.errorList).toBeNull();
    expect(numOf(pdf.pages[0])).toBe(false);
    expect(run(pdf.pages[0])).toContain('佐藤健一');
  });

  it('has a summary and a page for each of several drivers, in the order of the request', async () => {
    const { pdf, reply } = await makeReport([WATANABE, SATO, KIM]);
    expect(reply.errorList).toBeNull();
    expect(pdf.pages).toHaveLength(4);
    const [summary, ...sections] = pdf.pages.map(run);
    for (const name of ['渡邊さくら', '佐藤健一', '김민준']) expect(summary).toContain(name);
    expect(sections.map((text) => /E-100\d/.exec(text)?.[0])).toEqual(['E-1003', 'E-1001', 'E-1002']);
  });

  it('asks backend-api once per driver for trips and vehicle, and geo-api once per driver with trips, each place once', async () => {
    gateway.sandbox.journal.clear();
    await makeReport([SATO, KIM]);
    expect(gateway.sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(2);
    expect(gateway.sandbox.journal.requests({ operation: 'getMobile' })).toHaveLength(2);
    expect(gateway.sandbox.journal.requests({ backend: 'geo-api' })).toHaveLength(2);
  });

  it('is found under driving-reports/org/{organisation}/{day}/{job id}.pdf', async () => {
    const { jobId, reply } = await makeReport([SATO]);
    expect(reply.key).toBe(`driving-reports/org/acme/2026-11-19/${jobId}.pdf`);
  });

  it('keeps organisations and job ids apart that differ in special characters, and has its own place without one', async () => {
    const body = { date: DATE, drivers: [] };
    const keys = [];
    for (const headers of [
      { 'x-job-id': 'a:b..c', 'x-org-id': encodeURIComponent('東京 運送/../acme') },
      { 'x-job-id': 'a:b..c' },
    ])
      keys.push(((await gateway.callback(DRIVING_REPORT, body, headers)).body as Reply).key);
    expect(keys).toEqual([
      `driving-reports/org/${encodeURIComponent('東京 運送/../acme').replaceAll('.', '%2E')}/2026-11-19/a%3Ab%2E%2Ec.pdf`,
      'driving-reports/no-org/2026-11-19/a%3Ab%2E%2Ec.pdf',
    ]);
  });

  it.each([
    ['+09:00', '2026-11-19T00:00:00+09:00', 540, '2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00'],
    [
      '+09:00, at the last moment of the day',
      '2026-11-19T23:59:59+09:00',
      540,
      '2026-11-19T00:00:00+09:00',
      '2026-11-20T00:00:00+09:00',
    ],
    ['-11:00', '2026-11-19T13:00:00-11:00', -660, '2026-11-19T00:00:00-11:00', '2026-11-20T00:00:00-11:00'],
    [
      '+05:45, at the end of a month',
      '2026-02-28T01:00:00+05:45',
      345,
      '2026-02-28T00:00:00+05:45',
      '2026-03-01T00:00:00+05:45',
    ],
    ['Z', '2026-12-31T23:00:00.5Z', 0, '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
  ])('covers the calendar day of its date in the offset %s', async (_offset, date, offsetMinutes, from, to) => {
    gateway.sandbox.journal.clear();
    const { pdf, reply } = await makeReport([SATO], date);
    expect(gateway.sandbox.journal.requests({ operation: 'getDrivingRecord' }).map(({ query }) => query)).toEqual([
      { from, to },
    ]);
    expect(reply.key).toContain(`/${date.slice(0, 10)}/`);
    const trips = await tripsOf('1', from, to);
    expect(trips.length).toBeGreaterThan(0);
    const lines = pdf.pages.join('\n').split('\n');
    for (const { start } of trips) expect(lines).toContain(clock(start.time, offsetMinutes));
  });
});

describe('drivers whose data cannot be had', () => {
  it('are named in errorList, each with its reason, and the pages of the others are still there', async () => {
    const fail = (mobileId: string, status: number, message: string): unknown =>
      gateway.sandbox.faults.set({
        operation: 'getDrivingRecord',
        mobileId,
        fault: { kind: 'status', status, message },
      });
    fail('2', 403, 'sealed by the court');
    fail('4', 500, 'stack trace at line 1');
    gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '5', fault: { kind: 'garbage' } });
    const failing = ['4', '5', '99999', '..'].map((mobileId) => ({ ...KIM, mobileId, employeeCode: `E-${mobileId}` }));
    const { pdf, reply } = await makeReport([SATO, KIM, ...failing, WATANABE]);

    expect(reply.errorList?.map(({ mobileId, employeeCode, code }) => [mobileId, employeeCode, code])).toEqual([
      ['2', 'E-1002', 'Forbidden'],
      ['4', 'E-4', 'ServiceUnavailable'],
      ['5', 'E-5', 'ServiceUnavailable'],
      ['99999', 'E-99999', 'NotFound'],
      ['..', 'E-..', 'BadInput'],
    ]);
    expect(reply.errorList?.[0]?.message).toBe('sealed by the court');
    expect(JSON.stringify(reply)).not.toContain('stack trace');
    const pages = pdf.pages.map(run);
    expect(pages).toHaveLength(3);
    expect(pages[1]).toContain('佐藤健一');
    expect(pages[2]).toContain('渡邊さくら');
    expect(pages[0]).toContain(run('sealed by the court'));
  });

  it('leave a report of one page with the list when they are all, and key is set', async () => {
    gateway.sandbox.faults.set({ operation: 'getDrivingRecord', fault: { kind: 'status', status: 403 } });
    const { pdf, reply, jobId } = await makeReport([SATO, KIM]);
    expect(reply.key).toBe(`driving-reports/org/acme/2026-11-19/${jobId}.pdf`);
    expect(reply.errorList?.map(({ mobileId }) => mobileId)).toEqual(['1', '2']);
    expect(pdf.pages).toHaveLength(1);
    for (const name of ['佐藤健一', '김민준']) expect(run(pdf.pages[0])).toContain(name);
  });

  it('are not those who did not drive: their page says so', async () => {
    const { pdf, reply } = await makeReport([{ ...SATO, mobileId: '25' }]);
    expect(reply.errorList).toBeNull();
    expect(pdf.pages).toHaveLength(1);
    expect(pdf.pages[0]).toContain('No driving was recorded on this day.');
  });
});

describe('a report', () => {
  it('without drivers is one page that says so', async () => {
    const { pdf, reply } = await makeReport([]);
    expect(reply.errorList).toBeNull();
    expect(pdf.pages).toHaveLength(1);
    expect(run(pdf.pages[0])).toContain(run('No driver was requested.'));
  });

  it.each([
    ['down', { kind: 'down' }],
    ['failing', { kind: 'status', status: 500 }],
    ['talking nonsense', { kind: 'garbage' }],
  ] as const)('is made without addresses, and without errors, while geo-api is %s', async (_state, fault) => {
    gateway.sandbox.faults.set({ backend: 'geo-api', fault });
    const { pdf, reply } = await makeReport([SATO]);
    gateway.sandbox.faults.clear();
    expect(reply.errorList).toBeNull();
    const trips = await tripsOf('1', '2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00');
    for (const { start } of trips) expect(pdf.pages[0]?.split('\n')).toContain(clock(start.time, 540));
    for (const address of await addressesOf(trips))
      expect(run(pdf.pages[0])).not.toContain(run(address ?? 'no address'));
  });

  it('that is ordered for the same mobile twice has two sections', async () => {
    const { pdf } = await makeReport([SATO, { ...SATO, employeeName: '交代 運転手' }]);
    expect(pdf.pages).toHaveLength(3);
    expect(run(pdf.pages[2])).toContain('交代運転手');
  });
});

describe('the download link', () => {
  it("leads to a PDF that is to be saved, and to nobody's cache", async () => {
    const { link, jobId } = await makeReport([]);
    const { status, headers } = await fetch(link);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="driving-report-${jobId}.pdf"`,
    ]);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it.each([
    ['another key', (link: URL) => (link.pathname = link.pathname.replace('.pdf', 'x.pdf'))],
    ['another organisation', (link: URL) => (link.pathname = link.pathname.replace('/acme/', '/globex/'))],
    ['a later end', (link: URL) => link.searchParams.set('exp', String(Number(link.searchParams.get('exp')) + 1))],
    ['no end', (link: URL) => link.searchParams.delete('exp')],
    ['no signature', (link: URL) => link.searchParams.delete('sig')],
    ['another signature', (link: URL) => link.searchParams.set('sig', `${link.searchParams.get('sig') ?? ''}A`)],
    ['a way around', (link: URL) => (link.pathname = link.pathname.replace('/org/', '/org/%252e%252e/org/'))],
  ])('is refused with %s', async (_change, tamper) => {
    const { link } = await makeReport([]);
    const tampered = new URL(link);
    tamper(tampered);
    expect(tampered.href).not.toBe(link);
    const response = await fetch(tampered);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain('%PDF');
  });

  it('is refused once it has expired', async () => {
    const { reply } = await makeReport([]);
    const store = createFileObjectStore({
      directory: join(gateway.dataDir, 'objects'),
      linkBase: () => '',
      keyRing: new KeyRing([MASTER_KEY]),
      logger: createLogger({ level: 'silent', pretty: false }),
    });
    const ask = async (expiresInMs: number): Promise<number> => {
      const url = await store.downloadUrl(reply.key, { expiresInMs, downloadName: 'report.pdf' });
      return (await fetch(`${gateway.url}${url}`)).status;
    };
    expect([await ask(60_000), await ask(-1)]).toEqual([200, 403]);
  });

  it('is good for five minutes', async () => {
    const before = Date.now();
    const { link } = await makeReport([]);
    const end = Number(new URL(link).searchParams.get('exp'));
    expect(end).toBeGreaterThanOrEqual(before + 300_000);
    expect(end).toBeLessThanOrEqual(Date.now() + 300_000);
  });
});
