import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  OrderReportDocument,
  ReportStatusDocument,
  type DrivingReportsInput,
} from '../../../generated/demo-operations.js';
import type { Mobiles } from './fleet.js';
import { awaitJob, type Visit } from './graphql-client.js';
import { check } from './steps.js';

const DRIVERS = [
  { employeeCode: 'E-1001', employeeName: '佐藤 健一' },
  { employeeCode: 'E-1002', employeeName: 'Anna Schmidt' },
  { employeeCode: 'E-1003', employeeName: '髙木 さくら' },
  { employeeCode: 'E-1004', employeeName: 'Zoë O’Brien' },
  { employeeCode: 'E-1005', employeeName: '齋藤 マリコ' },
];

const DAY_MS = 86_400_000;
const JAPAN_OFFSET_MS = 9 * 3_600_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Returns the date of yesterday in Japan, `yyyy-mm-dd`. */
export function yesterdayInJapan(now: Date): string {
  return new Date(now.getTime() + JAPAN_OFFSET_MS - DAY_MS).toISOString().slice(0, 10);
}

/**
 * Orders the report of a day and waits for it.
 *
 * @param mobiles vehicles of the drivers
 * @returns URL of the PDF; absolute or root-relative
 */
export async function orderReport(visit: Visit, day: string, mobiles: Mobiles): Promise<string> {
  const { client, print } = visit;
  const input: DrivingReportsInput = {
    date: `${day}T00:00:00+09:00`,
    drivers: DRIVERS.map((driver, index) => ({ ...driver, mobileId: (mobiles[index] ?? mobiles[0]).id })),
  };
  const { jobId } = await client.request(OrderReportDocument, { input });
  print(`   Job      ${jobId}`);
  print(`   Drivers  ${DRIVERS.map(({ employeeName }) => employeeName).join(', ')}, on ${day}`);

  const poll = () => client.request(ReportStatusDocument, { jobId });
  const { status, errors, progress, downloadUrl } = await awaitJob(visit, poll);
  check(status === 'Success', `The report ended with ${status}: ${(errors ?? []).join('; ')}`);
  check(progress.done === DRIVERS.length, `${progress.done} of ${DRIVERS.length} drivers were handled.`);
  check(downloadUrl !== null, 'The finished report has no downloadUrl.');
  return downloadUrl;
}

/** Downloads a report, checks that it is a complete PDF, and saves it. */
export async function saveReport(
  { print, signal }: Visit,
  link: URL,
  file: { readonly directory: string; readonly day: string },
): Promise<void> {
  const response = await fetch(link, { signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]) });
  check(response.ok, `The download link answered ${response.status}.`);
  const type = response.headers.get('content-type');
  check(type === 'application/pdf', `The download is ${type ?? 'of unknown type'} instead of application/pdf.`);
  const pdf = Buffer.from(await response.arrayBuffer());
  check(pdf.subarray(0, 5).toString('latin1') === '%PDF-', 'The download does not begin as a PDF does.');
  check(pdf.subarray(-8).toString('latin1').includes('%%EOF'), 'The downloaded PDF is not complete.');

  const path = join(file.directory, `driving-report-${file.day}.pdf`);
  await writeFile(path, pdf);
  print(`   ${path} (${Math.ceil(pdf.length / 1000)} kB)`);
}
