import { graphql } from './generated/index.js';
import type { DrivingReportsInput, ReportStatusQuery } from './generated/graphql.js';
import type { Answer } from './graphql-client.js';
import { pass, whenAllowed, type Waiting } from './patience.js';
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

/** How a report has come out, or how far it has come. */
export type ReportStatus = Answer<ReportStatusQuery>['fetchDrivingReportsStatus'];

/**
 * The value of an `<input type="date">` as `date` of a report: 20 November in Tokyo is `startOfDay('2026-11-20', '+09:00')`.
 * There, `new Date(2026, 10, 20).toISOString()` is the 19th: a report has the calendar day that its `date` names.
 */
export const startOfDay = (day: string, offset: string): string => `${day}T00:00:00${offset}`;

/** While something happens a job is looked at every second; when nothing does, less and less often. */
const FIRST_PAUSE_MS = 1_000;
const PAUSE_FACTOR = 1.5;
const MAX_PAUSE_MS = 10_000;

/**
 * Orders a report. The order is repeated as long as its answer is lost or the service is away: with the same key the
 * gateway starts one job, however often it gets the order.
 *
 * @returns id of the job: keep it in the address of the page, and a reload loses nothing
 */
export async function orderReport(session: Session, input: DrivingReportsInput, waiting: Waiting): Promise<string> {
  const variables = { input, idempotencyKey: crypto.randomUUID() };
  const { startDrivingReports } = await whenAllowed(['TooManyRequests', 'ServiceUnavailable'], waiting, () =>
    session.request(ORDER_REPORT, variables, waiting.signal),
  );
  return startDrivingReports.jobId;
}

/** Looks at a report until it has ended. Outages are waited out: the job goes on meanwhile. */
export async function awaitReport(session: Session, jobId: string, waiting: Waiting): Promise<ReportStatus> {
  const { tell, signal, pause = pass } = waiting;
  let pauseMs = FIRST_PAUSE_MS;
  let doneBefore = -1;
  for (;;) {
    const status = await whenAllowed(['TooManyRequests', 'ServiceUnavailable'], waiting, () =>
      reportStatus(session, jobId, signal),
    );
    if (status.completed) return status;
    const { done, total } = status.progress;
    if (done === doneBefore) pauseMs = Math.min(pauseMs * PAUSE_FACTOR, MAX_PAUSE_MS);
    else {
      tell(`${done} of ${total} drivers`);
      pauseMs = FIRST_PAUSE_MS;
    }
    doneBefore = done;
    await pause(pauseMs, signal);
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
  const response = await fetch(new URL(downloadUrl, gatewayUrl));
  if (!response.ok) throw new Error(`The download answered ${response.status}.`);
  return response.blob();
}

async function reportStatus(session: Session, jobId: string, signal?: AbortSignal): Promise<ReportStatus> {
  return (await session.request(REPORT_STATUS, { jobId }, signal)).fetchDrivingReportsStatus;
}
