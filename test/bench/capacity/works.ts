import { callBack, graphqlAt } from '../../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, MOBILES } from '../../support/job-requests.js';
import { OPERATIONS } from '../../support/started-jobs.js';
import { MOBILES as LIST } from '../requests/workloads.js';
import type { Site } from './site.js';

const LOGIN = 'mutation { userLogin(loginId: "demo", password: "demo-password") { session { accessToken } } }';

/** Does everything that a fleet does, once each, as an administrator of the sandbox. @throws {Error} when it is refused */
export async function worksAt({ gateway: { url }, sandbox }: Site) {
  const bearer = `Bearer ${await sandbox.mintToken()}`;
  let jobs = 0;

  async function graphql(query: string, variables?: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { data, text } = await graphqlAt(url)(query, variables, bearer);
    if (data === undefined || data === null || text.includes('"errors":[')) throw new Error(text);
    return data;
  }

  async function call(route: string, body: unknown): Promise<void> {
    jobs += 1;
    const reply = await callBack(`${url}${route}`, body, jobHeaders(`measured-${jobs}`));
    if (reply.status !== 200) throw new Error(`${route} answered ${reply.status}: ${await reply.text()}`);
  }

  return {
    login: () => graphql(LOGIN),
    list: () => graphql(LIST),
    async orderMobiles(items: number): Promise<string> {
      jobs += 1;
      const { job } = await graphql(OPERATIONS.mobiles.start, { value: itemsOf(items, `Name ${jobs}`) });
      return (job as { jobId: string }).jobId; // as selected
    },
    async pollMobiles(jobId: string): Promise<boolean> {
      const { status } = await graphql(OPERATIONS.mobiles.poll, { jobId });
      return (status as { completed: boolean }).completed; // as selected
    },
    /** The callbacks by themselves, as if a queue function delivered a job that nobody ordered. */
    callMobiles: (items: number) => call(MOBILES, itemsOf(items, 'Renamed')),
    callReport: (drivers: number) => call(DRIVING_REPORT, reportOf(drivers)),
  };
}

/** Mobiles of the sandbox; their ids come round again. */
function itemsOf(count: number, name: string): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({ id: (index % 200) + 1, name: `${name} ${index}` }));
}

/** A report of yesterday. */
function reportOf(count: number): object {
  const drivers = Array.from({ length: count }, (_, index) => ({
    mobileId: String((index % 200) + 1),
    employeeCode: `E-${index}`,
    employeeName: `Driver ${index}`,
  }));
  return { date: new Date(Date.now() - 86_400_000).toISOString().replace(/T.*/, 'T00:00:00+09:00'), drivers };
}
