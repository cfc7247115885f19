/**
 * Measures the dearest operations: `npm run bench:operations`. Each is as large as the defaults allow. The table in
 * `test/bench/README.md` gets the dearest ten. A figure is the processor time of the main thread of a gateway on Redis,
 * in milliseconds, without the work of started jobs: the median of five, after three that are not measured. Ends with 1
 * if an operation costs more than 300 ms in the least of them, to which other work on the machine adds least.
 *
 * --check  leaves the table as it is
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { callBack, graphqlAt, postJson, productionAt } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { startBackends } from '../support/successive-gateways.js';
import { median, tableOf } from './requests/section.js';

const MOST_MS = 300;
const WARMING_UP = 3;
const MEASURED = 5;
const SHOWN = 10;
const PAGE = new URL('README.md', import.meta.url);
const { values: given } = parseArgs({ options: { check: { type: 'boolean' } } });

/** Limits that are no matter of one operation. */
const MANY = {
  JOBS_MAX_OPEN_PER_ORG: '100000',
  JOBS_MAX_OPEN_BYTES_PER_ORG: '4000000000',
  JOBS_MAX_KEPT_BYTES_PER_ORG: '4000000000',
  ITEMS_MAX_PER_MINUTE_PER_ORG: '1000000000',
  REQUEST_TIMEOUT_SECONDS: '120',
  BACKEND_TIMEOUT_SECONDS: '60',
  LOG_LEVEL: 'info',
};

const random = randomFrom(1);
const times = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));
/** Letters of any script. */
const letters = (length: number): string =>
  times(length, () => String.fromCodePoint(random.integer(0xa1, 0xd7a3))).join('');

const DAY = '2024-05-17T00:00:00+09:00';

/** Body of a report with as many drivers as the size of a body allows. */
const driversOf = (count: number, length: number): object => ({
  date: DAY,
  drivers: times(count, (index) => ({
    mobileId: String(1 + (index % 50)),
    employeeCode: `${index}`,
    employeeName: letters(length),
  })),
});
const NESTED = times(50, () => 0).reduce<unknown>((inside) => [inside, '€'], 1);
const accounts = times(1_000, (index) => ({
  type: 'CREATE',
  userAccountInput: { loginId: `bench-${index}`, password: letters(40), name: letters(100), indivs: [NESTED, NESTED] },
}));

const MOBILE = `id num name tags { id name } position { latitude longitude speedKmh heading recordedAt address }
  voice { online talkGroup }`;
const LIST = `edges { cursor node { ${MOBILE} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount`;
const FAILURE = 'index subject code reason message values';
const COMMON = `id jobId kind completed state progress { done total failed } pollAfterSeconds createdAt finishedAt cancelled
  orderedBy { BackendUser LoggedInId } status errors failureCount failures { ${FAILURE} } warnings { code message values }`;
const REPORT = `${COMMON} key downloadUrl downloadUrlExpiresAt errorList { mobileId employeeCode code reason message values }`;
const JOBS = `edges { cursor node { ${COMMON} __typename ... on DrivingReportsStatus { key errorList { mobileId message } }
  ... on BulkUpdateMobileStatus { itemErrors { index item message } } } } pageInfo { hasNextPage endCursor }`;
const aliased = (count: number, one: (index: number) => string): string =>
  `{ ${times(count, (index) => `a${index}: ${one(index)}`).join(' ')} }`;
const STARTS = {
  report: 'startDrivingReports(input: $v) { jobId }',
  mobiles: 'startBulkUpdateMobile(items: $v) { jobId }',
  accounts: 'startBulkOperationUserAccount(items: $v) { jobId }',
};
const INPUTS = {
  report: 'DrivingReportsInput!',
  mobiles: '[MobileUpdateInput!]!',
  accounts: '[UserAccountOperationInput!]!',
};
const start = (kind: keyof typeof STARTS, count = 1): string =>
  `mutation($v: ${INPUTS[kind]}) ${aliased(count, () => STARTS[kind])}`;

interface Asked {
  readonly query: string;
  readonly variables?: object;
  /** Errors that it is refused with; none otherwise. */
  readonly refused?: boolean;
}

/** Operations by what they are. @param report a cancelled job of 10,000 drivers @param bulk one whose 1,000 items failed */
const operationsOf = (report: string, bulk: string): Readonly<Record<string, Asked>> => ({
  'start of a report with 10,000 drivers, with long names in any script': {
    query: start('report'),
    variables: { v: driversOf(10_000, 35) },
  },
  'three starts of a report with 10,000 drivers': {
    query: start('report', 3),
    variables: { v: driversOf(10_000, 35) },
  },
  'start of a report with 2,500 drivers whose names have 256 letters': {
    query: start('report'),
    variables: { v: driversOf(2_500, 256) },
  },
  'three updates of 1,000 mobiles with names of 256 letters': {
    query: start('mobiles', 3),
    variables: { v: times(1_000, (index) => ({ id: 1 + (index % 50), num: letters(256), name: letters(256) })) },
  },
  'three updates of 1,000 mobiles with 200 tags each': {
    query: start('mobiles', 3),
    variables: {
      v: times(1_000, (index) => ({ id: 1 + (index % 50), tagIds: times(200, (tag) => String(100_000 + tag)) })),
    },
  },
  'three orders of 1,000 accounts with filters of nested JSON': {
    query: start('accounts', 3),
    variables: { v: accounts },
  },
  'ten lists of 200 mobiles with everything': { query: aliased(10, () => `mobiles(first: 200) { ${LIST} }`) },
  'ten lists of 200 accounts': {
    query: aliased(
      10,
      () =>
        `userAccounts(first: 200) { edges { cursor node { loginId name isAdmin indivs vptGrps landmarkCategories } } totalCount }`,
    ),
  },
  'a list of 200 jobs with everything': { query: `{ jobs(first: 200) { ${JOBS} } }` },
  'ten lists of 200 jobs, the last of which are refused': {
    query: aliased(10, () => `jobs(first: 200) { ${JOBS} }`),
    refused: true,
  },
  'a cancelled report of 10,000 drivers, with everything': {
    query: `{ fetchDrivingReportsStatus(jobId: "${report}") { ${REPORT} } }`,
  },
  'fifteen aliases of the 1,000 failures of an update': {
    query: `{ fetchBulkUpdateMobileStatus(jobId: "${bulk}") ${aliased(15, () => `failures { ${FAILURE} }`)} }`,
  },
  'ten statuses of an update with 1,000 failures': {
    query: aliased(
      10,
      () => `fetchBulkUpdateMobileStatus(jobId: "${bulk}") { ${COMMON} itemErrors { index item message } }`,
    ),
  },
  'fragments in a chain': {
    query: `{ ...F0 } ${times(120, (at) => `fragment F${at} on Query { me { Org } ...F${at + 1} }`).join(' ')} fragment F120 on Query { me { Org } }`,
    refused: true,
  },
  'fragments side by side': {
    query: `{ ${times(70, (at) => `...F${at}`).join(' ')} } ${times(70, (at) => `fragment F${at} on Query { me { Org } }`).join(' ')}`,
  },
  'a hundred equal fields in deep fragments': {
    query: `{ ${times(30, () => 'jobs { ...A }').join(' ')} } fragment A on JobConnection { ${times(30, () => 'edges { ...B }').join(' ')} }
      fragment B on JobEdge { ${times(30, () => 'node { ...C }').join(' ')} } fragment C on JobStatus { ${times(30, () => 'progress { done }').join(' ')} }`,
  },
  'variables at the limit of tokens': {
    query: `query(${times(160, (at) => `$v${at}: [ID!]`).join(' ')}) { mobiles(tagIds: $v0) { totalCount } }`,
    variables: Object.fromEntries(times(160, (at) => [`v${at}`, times(900, (tag) => String(tag + 1))])),
    refused: true,
  },
  'a document with ten faults of 900': { query: `{ me { ${times(900, (at) => `x${at}`).join(' ')} } }`, refused: true },
  'variables with ten faults, each in 1,000 items': {
    query: start('mobiles'),
    variables: { v: times(1_000, () => ({ id: {}, num: 1, name: 2, tagIds: [{}] })) },
    refused: true,
  },
  '100,000 variables that no document declares': {
    query: '{ me { Org } }',
    variables: Object.fromEntries(times(100_000, (at) => [`v${at}`, at])),
    refused: true,
  },
  '100,000 members of a variable that no document declares': {
    query: '{ me { Org } }',
    variables: { v: Object.fromEntries(times(100_000, (at) => [`v${at}`, at])) },
  },
  '200,000 objects in a variable that no document declares': {
    query: '{ me { Org } }',
    variables: { v: times(200_000, () => ({ a: 1 })) },
  },
});

const [programs, redis, sandbox] = await Promise.all([BuiltPrograms.open(), startRedis(), startBackends()]);
const directory = { DATA_DIR: programs.directory };
try {
  const gateway = await programs.startGateway({
    ...productionAt(sandbox),
    ...directory,
    REDIS_URL: redis.url,
    ...MANY,
  });
  const bearer = `Bearer ${await sandbox.mintToken()}`;
  const ask = (query: string, variables?: object) => graphqlAt(gateway.url)(query, variables, bearer);
  /** Processor time of the main thread so far, in milliseconds (Linux, `schedstat`). */
  const mainThread = (): number =>
    Number(readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

  const order = async (kind: keyof typeof STARTS, value: object): Promise<string> => {
    const { data, text } = await ask(start(kind), { v: value });
    const { jobId } = (data?.['a0'] ?? {}) as { jobId?: string }; // as selected
    if (jobId === undefined) throw new Error(`No job was started: ${text.slice(0, 500)}`);
    return jobId;
  };
  const cancelled = async (kind: keyof typeof STARTS, value: object): Promise<string> => {
    const jobId = await order(kind, value);
    await ask(`mutation { cancelJob(jobId: "${jobId}") { state } }`);
    return jobId;
  };
  const thousand = times(1_000, (index) => ({ id: 1 + (index % 50), name: 'x' }));
  for (let job = 0; job < 200; job += 1) await cancelled('mobiles', thousand.slice(0, 20));
  /** Runs a job that fails in each of its parts, as a queue function would. */
  const failed = async (jobId: string, route: string, body: object): Promise<string> => {
    const reply = await callBack(`${gateway.url}${route}`, body, jobHeaders(jobId));
    if (!reply.ok) throw new Error(`${route} answered ${reply.status}: ${await reply.text()}`);
    return jobId;
  };
  const missing = times(1_000, (index) => ({ id: 900_000_000_000 + index, name: 'x' }));
  const operations = operationsOf(
    await cancelled('report', driversOf(10_000, 4)),
    await failed('failed-update', MOBILES, missing),
  );

  const found: {
    readonly what: string;
    readonly ms: number;
    readonly least: number;
    readonly kb: readonly [asked: number, answered: number];
  }[] = [];
  for (const [what, { query, variables, refused = false }] of Object.entries(operations)) {
    const costs: number[] = [];
    let [asked, answered] = [0, 0];
    for (let time = 0; time < WARMING_UP + MEASURED; time += 1) {
      // Each document is unseen.
      const body = JSON.stringify({ query: `${query} # ${time}`, variables });
      const before = mainThread();
      const reply = await postJson(`${gateway.url}/graphql`, body, { authorization: bearer });
      const text = await reply.text();
      if (time >= WARMING_UP) costs.push(mainThread() - before);
      if (text.includes('"errors":[{') !== refused) throw new Error(`${what}: ${text.slice(0, 1_000)}`);
      [asked, answered] = [body.length / 1_000, text.length / 1_000];
    }
    const [ms, least] = [median(costs), Math.min(...costs)];
    found.push({ what, ms, least, kb: [asked, answered] });
    process.stdout.write(`${ms.toFixed(0).padStart(5)} ms  ${what}${least > MOST_MS ? '  too much' : ''}\n`);
  }
  const dearest = found.toSorted((one, other) => other.ms - one.ms);
  const rows = dearest
    .slice(0, SHOWN)
    .map(({ what, ms, kb }) => [what, ms.toFixed(0), ...kb.map((each) => each.toFixed(0))]);
  const table = tableOf({ columns: ['Operation', 'ms', 'kB asked', 'kB answered'], rows }).join('\n');
  if (!given.check) {
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(PAGE, page.replace(/(<!-- dearest operations -->\n\n)[^]*?(\n\n<!-- end -->)/, `$1${table}$2`));
  }
  process.exitCode = found.every(({ least }) => least <= MOST_MS) ? 0 : 1;
} finally {
  await programs.close();
  await Promise.all([redis.stop(), sandbox.close()]);
}
