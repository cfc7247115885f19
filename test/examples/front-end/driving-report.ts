import { graphql } from './generated/index.js';
import type { DrivingReportsInput, ReportStatusQuery } from './generated/graphql.js';
import type { Answer } from './graphql-client.js';
import { pass, whenAllowed, type Waiting } from './patience.js';
import { randomId } from './random-id.js';
import { RequestError } from './request-error.js';
import type { Session } from './session.js';

const ORDER_REPORT = graphql(`
  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {
    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {
      jobId
    }
  }
`);

const REPORT_STATUS = graphql(`
  query ReportStatus($jobId: ID!) {
    fetchDrivingReportsStatus(jobId: $jobId) {
      completed
      pollAfterSeconds
      progress {
        done
        total
      }
      status
      errors
      downloadUrl
    }
  }
`);

const UNREACHABLE = 'The report cannot be reached. Check your connection and try again.';
const NO_PDF = 'The report could not be downloaded. Try again.';

/** How a report has come out, or how far it has come. */
export type ReportStatus = Answer<ReportStatusQuery>['fetchDrivingReportsStatus'];

/**
 * The value of an `<input type="date">` as `date` of a report: 20 November in Tokyo is `startOfDay('2026-11-20', '+09:00')`.
 * There, `new Date(2026, 10, 20).toISOString()` is the 19th: a report has the calendar day that its `date` names.
 */
export const startOfDay = (day: string, offset: string): string => `${day}T00:00:00${offset}`;

/**
 * Orders a report. The order is repeated as long as its answer is lost or the service is away: with the same key the
 * gateway starts one job, however often it gets the order.
 *
 * @returns id of the job: keep it in the address of the page, and a reload loses nothing
 */
export async function orderReport(session: Session, input: DrivingReportsInput, waiting: Waiting): Promise<string> {
  const variables = { input, idempotencyKey: randomId() };
  const { startDrivingReports } = await whenAllowed(['TooManyRequests', 'ServiceUnavailable'], waiting, () =>
    session.request(ORDER_REPORT, variables, waiting.signal),
  );
  return startDrivingReports.jobId;
}

/** Looks at a report until it has ended. Outages are waited out: the job goes on meanwhile. */
export async function awaitReport(session: Session, jobId: string, waiting: Waiting): Promise<ReportStatus> {
  const { tell, signal, pause = pass } = waiting;
  for (;;) {
    const status = await whenAllowed(['TooManyRequests', 'ServiceUnavailable'], waiting, () =>
      reportStatus(session, jobId, signal),
    );
    if (status.completed) return status;
    const { done, total } = status.progress;
    tell(`${done} of ${total} drivers`);
    await pause(status.pollAfterSeconds * 1_000, signal);
  }
}

/**
 * Downloads the PDF of a report. The link in a status is good for five minutes, so a new one is asked for; the link itself
 * is the permission and wants no token. `<a href>` with it does as well.
 *
 * @param gatewayUrl where the gateway is, for links without an origin
 * @returns undefined: the report has no PDF, its `errors` say why
 */
export async function downloadReport(session: Session, jobId: string, gatewayUrl: string): Promise<Blob | undefined> {
  const { downloadUrl } = await reportStatus(session, jobId);
  if (downloadUrl === null) return undefined;
  const response = await fetch(new URL(downloadUrl, gatewayUrl)).catch((cause: unknown) => {
    throw new RequestError('ServiceUnavailable', UNREACHABLE, { cause });
  });
  // A proxy or a page of the network may answer 200 as well.
  const isPdf = response.headers.get('content-type') === 'application/pdf';
  if (!response.ok || !isPdf) throw new RequestError('ServiceUnavailable', NO_PDF);
  return response.blob();
}

async function reportStatus(session: Session, jobId: string, signal?: AbortSignal): Promise<ReportStatus> {
  return (await session.request(REPORT_STATUS, { jobId }, signal)).fetchDrivingReportsStatus;
}
