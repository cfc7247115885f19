import { DRIVING_REPORT, MOBILES as MOBILES_ROUTE } from '../../support/job-requests.js';
import type { ServerName } from './servers.js';
import type { RunningServer, Stage } from './stage.js';

/** Another server, or another workload of the same server, that the gateway's processor time is compared with. */
export interface Comparison {
  readonly server: ServerName;
  /** The workload itself when left out. */
  readonly workload?: WorkloadName;
  /** The gateway's processor time a request may be so many times the other's; only reported when left out. */
  readonly max?: number;
}

export interface Workload {
  readonly title: string;
  readonly query: string;
  /** Body of a callback, which takes the place of the query. */
  readonly callback?: unknown;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly authenticated: boolean;
  readonly subject: ServerName;
  readonly against: readonly Comparison[];
  /** Part of every good reply, where the whole of it differs from time to time. */
  readonly replyContains?: string;
  readonly prepare?: (stage: Stage, server: RunningServer) => Promise<void>;
}

/** Workloads that also measure the gateway with `METRICS_PORT`. */
type AgainName = 'public' | 'me' | 'mobiles' | 'status';

type PlainName = AgainName | 'me-cached' | 'order' | 'callback';

type MeasuredName = `${AgainName}-measured`;

export type WorkloadName = PlainName | MeasuredName;

const PUBLIC = '{ serviceVersion }';

const ME = '{ me { BackendUser Org Issuser Region IsAdmin LoggedInId ChatId } }';

export const MOBILES = `{ mobiles(first: 50) { edges { node {
  id num name position { latitude longitude speedKmh address } voice { online talkGroup }
} } pageInfo { hasNextPage endCursor } } }`;

const STATUS = `query ReportStatus($jobId: ID!) { fetchDrivingReportsStatus(jobId: $jobId) {
  completed state progress { done total } status errors downloadUrl
} }`;

const PLAIN: Readonly<Record<PlainName, Workload>> = {
  public: {
    title: 'A public field',
    query: PUBLIC,
    authenticated: false,
    subject: 'gateway',
    against: [
      { server: 'mercurius', max: 1.5 },
      { server: 'mercurius-log', max: 1 },
      { server: 'floor' },
      { server: 'floor-log' },
    ],
  },
  me: {
    title: 'The authenticated user, with a key fetch for each request',
    query: ME,
    authenticated: true,
    subject: 'gateway',
    against: [
      { server: 'mercurius', max: 0.6 },
      { server: 'mercurius-kept-key', max: 0.6 },
      { server: 'mercurius-log' },
      { server: 'floor', max: 0.9 },
      { server: 'floor-remembers', max: 1.5 },
    ],
  },
  'me-cached': {
    title: 'The authenticated user, with keys kept for 60 s',
    query: ME,
    authenticated: true,
    subject: 'gateway-cached',
    against: [{ server: 'gateway', workload: 'public', max: 2.5 }],
  },
  mobiles: {
    title: '50 mobiles with address and voice presence',
    query: MOBILES,
    authenticated: true,
    subject: 'gateway',
    against: [
      { server: 'mercurius', max: 0.7 },
      { server: 'mercurius-kept-key', max: 0.7 },
      { server: 'mercurius-log' },
    ],
  },
  order: {
    title: 'An order of a job with one item, which no queue function takes',
    query: 'mutation ($items: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $items) { jobId } }',
    variables: { items: [{ id: 1, name: 'Renamed [id]' }] },
    authenticated: true,
    subject: 'gateway',
    against: [{ server: 'gateway', workload: 'me' }],
    replyContains: '"jobId":',
  },
  callback: {
    title: 'A callback of a job with one item',
    query: MOBILES_ROUTE,
    callback: [{ id: 1, name: 'Renamed [id]' }],
    authenticated: false,
    subject: 'gateway',
    against: [{ server: 'gateway', workload: 'me' }],
    replyContains: '{"status":"Success"}',
  },
  status: {
    title: 'A poll of a finished report',
    query: STATUS,
    variables: { jobId: 'bench-status' },
    authenticated: true,
    subject: 'gateway',
    against: [{ server: 'gateway', workload: 'me', max: 1.3 }],
    replyContains: '"completed":true,"state":"FINISHED"',
    prepare: async (stage, server) => {
      const drivers = [{ mobileId: '1', employeeCode: 'E-1', employeeName: 'Aiko Tanaka' }];
      const report = { date: '2026-11-20T00:00:00Z', drivers };
      await stage.callback(server, DRIVING_REPORT, 'bench-status', report);
    },
  },
};

/** Highest cost of `METRICS_PORT`, as a multiple of the time without it. */
const MAX_METRICS = 1.15;

/** The same workload of the gateway with `METRICS_PORT`, which has to reach as far. */
function measured(name: AgainName, maxCost?: number): Workload {
  const { title, against, ...plain } = PLAIN[name];
  const same = against
    .filter(({ max }) => max !== undefined)
    .map((other): Comparison => {
      const { server, workload = name } = other;
      if (server !== 'gateway') return { ...other, workload };
      const measuredToo = `${workload}-measured` as MeasuredName; // none is compared with another workload beside these
      return { ...other, server: 'gateway-measured', workload: measuredToo };
    });
  return {
    ...plain,
    title: `${title}, with METRICS_PORT`,
    subject: 'gateway-measured',
    against: [{ server: 'gateway', workload: name, ...(maxCost !== undefined && { max: maxCost }) }, ...same],
  };
}

/**
 * The workloads, whom they are compared with, and how far the gateway shall reach. With `METRICS_PORT` it is given all
 * that it is given without: how fast a process does one thing depends on what else it has done.
 */
export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  public: PLAIN.public,
  'public-measured': measured('public', MAX_METRICS),
  me: PLAIN.me,
  'me-measured': measured('me', MAX_METRICS),
  'me-cached': PLAIN['me-cached'],
  order: PLAIN.order,
  callback: PLAIN.callback,
  mobiles: PLAIN.mobiles,
  'mobiles-measured': measured('mobiles'),
  status: PLAIN.status,
  'status-measured': measured('status'),
};
