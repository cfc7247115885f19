import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AccountsStatusDocument,
  ChangeAccountsDocument,
  ListMobilesDocument,
  LogInDocument,
  MobilesStatusDocument,
  OrderReportDocument,
  ReportStatusDocument,
  UpdateMobilesDocument,
  WhoAmIDocument,
  type ListMobilesQuery,
  type OutcomeFragment,
} from '../../../generated/demo-operations.js';
import { terminalTable } from '../process/terminal.js';
import { awaitJob, type GraphQLClient } from './graphql-client.js';

/** Visit to a gateway: its client, the output, and the signal that interrupts it. */
export interface Visit {
  readonly client: GraphQLClient;
  readonly print: (line: string) => void;
  /** Shows the progress of a job in place of the previous line. */
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs a step under its title. @throws {Error} naming the step, if it fails */
export type DemoStep = <T>(title: string, run: () => Promise<T>) => Promise<T>;

export interface TourOptions {
  readonly step: DemoStep;
  readonly gatewayUrl: string;
  readonly directory: string;
  readonly columns: number;
}

export async function logInUser(
  { client, print }: Visit,
  login: { readonly loginId: string; readonly password: string },
): Promise<string> {
  const { session } = await client(LogInDocument, login);
  if (!session) throw new Error(`${login.loginId} needs a one-time password; set LOGIN_ID to a user who does not.`);
  print(`   ${login.loginId} is logged in for ${Math.floor(session.expiresIn / 60)} minutes.`);
  return session.accessToken;
}

/**
 * Does the work of an operator: lists mobiles, orders a driving report, changes accounts and mobiles in bulk. Each bulk
 * job undoes what it does, and its last item fails on purpose, to show a failure.
 *
 * @param visit logged in
 * @throws {Error} naming the failed step
 */
export async function tour(visit: Visit, { step, gatewayUrl, directory, columns }: TourOptions): Promise<void> {
  await step('Show who that is', () => showUser(visit));
  const mobiles = await step('List mobiles', () => listMobiles(visit, columns));
  const day = yesterdayInJapan();
  const link = await step('Order a driving report', () => orderReport(visit, day, mobiles));
  const file = join(directory, `driving-report-${day}.pdf`);
  await step('Download the report', () => saveReport(visit, new URL(link, gatewayUrl), file));
  await step('Change user accounts', () => changeAccounts(visit));
  await step('Update mobiles', () => updateMobiles(visit, mobiles));
}

/** Shows the user of the token, who must be an administrator, because the demo changes user accounts. */
async function showUser({ client, print }: Visit): Promise<void> {
  const me = await client(WhoAmIDocument, {});
  print(`   ${me.BackendUser} of ${me.Org} in ${me.Region}${me.IsAdmin ? ', administrator' : ''}`);
  if (!me.IsAdmin) throw new Error(`${me.BackendUser} is not an administrator; set LOGIN_ID to one.`);
}

type MobileNode = NonNullable<NonNullable<ListMobilesQuery['mobiles']>['edges'][number]['node']>;

/** Mobiles that were found; later steps need two. */
type Mobiles = readonly [MobileNode, MobileNode, ...MobileNode[]];

const PAGE_SIZE = 10;
const INDENT = '   ';

/** Lists and prints the first mobiles. @param columns limit of the width of their table */
async function listMobiles({ client, print }: Visit, columns: number): Promise<Mobiles> {
  const { edges, pageInfo } = await client(ListMobilesDocument, { first: PAGE_SIZE });
  const [first, second, ...more] = edges.flatMap(({ node }) => node ?? []);
  if (!first || !second) throw new Error('The demo needs two mobiles that the user may see.');
  const mobiles: Mobiles = [first, second, ...more];
  const headings = ['Number', 'Name', 'km/h', 'Voice', 'Address', 'Tags'];
  const maxWidth = columns - INDENT.length;
  for (const line of terminalTable(mobiles.map(cellsOf), { headings, maxWidth })) print(`${INDENT}${line}`);
  print(`${INDENT}${mobiles.length} mobiles${pageInfo.hasNextPage ? ', and more on the next page' : ''}`);
  return mobiles;
}

/** Returns the cells of a mobile; only the first of its tags, so that lines stay short. */
function cellsOf({ num, name, tags, position, voice }: MobileNode): string[] {
  const [tag, ...others] = tags ?? [];
  return [
    num,
    name,
    position ? String(Math.round(position.speedKmh)) : '',
    voice ? (voice.online ? 'online' : 'offline') : '',
    position?.address ?? '',
    `${tag?.name ?? ''}${others.length > 0 ? ` +${others.length}` : ''}`,
  ];
}

const DRIVERS = ['佐藤 健一', 'Anna Schmidt', '髙木 さくら', 'Zoë O’Brien', '齋藤 マリコ'];

/** Returns the date of yesterday in Japan, `yyyy-mm-dd`: a day less nine hours ago. */
function yesterdayInJapan(): string {
  return new Date(Date.now() - 15 * 3_600_000).toISOString().slice(0, 10);
}

/** Orders the report of a day and waits for it. @returns URL of the PDF; absolute or root-relative */
async function orderReport({ client, print, progress, signal }: Visit, day: string, mobiles: Mobiles): Promise<string> {
  const drivers = DRIVERS.map((employeeName, index) => {
    return { employeeCode: `E-${1_001 + index}`, employeeName, mobileId: (mobiles[index] ?? mobiles[0]).id };
  });
  const { jobId } = await client(OrderReportDocument, { input: { date: `${day}T00:00:00+09:00`, drivers } });
  print(`   Job      ${jobId}`);
  print(`   Drivers  ${DRIVERS.join(', ')}, on ${day}`);
  const { status, errors, downloadUrl } = await awaitJob(
    () => client(ReportStatusDocument, { jobId }),
    signal,
    progress,
  );
  if (status === 'Success' && downloadUrl !== null) return downloadUrl;
  throw new Error(`The report ended with ${status}: ${(errors ?? []).join('; ')}`);
}

const DOWNLOAD_TIMEOUT_MS = 60_000;

async function saveReport({ print, signal }: Visit, link: URL, path: string): Promise<void> {
  const response = await fetch(link, { signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]) });
  if (!response.ok) throw new Error(`The download link answered ${response.status}.`);
  const pdf = Buffer.from(await response.arrayBuffer());
  await writeFile(path, pdf);
  print(`   ${path} (${Math.ceil(pdf.length / 1000)} kB)`);
}

/** Waits for the end of a bulk job of which the last item alone was meant to fail. */
async function expectOneFailure(
  { print, progress, signal }: Visit,
  poll: () => Promise<OutcomeFragment>,
): Promise<void> {
  const { status, errors } = await awaitJob(poll, signal, progress);
  print(`   Status   ${status}, because one item was meant to fail`);
  print(`   Errors   ${(errors ?? []).join('; ')}`);
  if (errors?.length !== 1) throw new Error('Only the last item was meant to fail.');
}

/** Creates two accounts, updates one, deletes both, and one that does not exist. */
async function changeAccounts(visit: Visit): Promise<void> {
  // Unique to this run of the demo.
  const prefix = `demo-${randomUUID().slice(0, 8)}`;
  const [first, second, unknown] = [`${prefix}-1`, `${prefix}-2`, `${prefix}-unknown`];
  const deletion = (loginId: string) => ({ type: 'DELETE', userAccountInput: { loginId } }) as const;
  const { jobId } = await visit.client(ChangeAccountsDocument, {
    items: [
      { type: 'CREATE', userAccountInput: { loginId: first, password: randomUUID(), name: '試用 一郎' } },
      { type: 'CREATE', userAccountInput: { loginId: second, password: randomUUID(), name: 'Trial Two' } },
      { type: 'UPDATE', userAccountInput: { loginId: first, name: '試用 一郎 (updated)' } },
      ...[first, second, unknown].map(deletion),
    ],
  });
  await expectOneFailure(visit, () => visit.client(AccountsStatusDocument, { jobId }));
}

/** Largest identifier, beyond the tag ids of any organisation. */
const UNKNOWN_TAG = String(Number.MAX_SAFE_INTEGER);

/** Renames the first mobile and back, and gives the second one a tag that does not exist. */
async function updateMobiles(visit: Visit, [{ id, name }, refused]: Mobiles): Promise<void> {
  const { jobId } = await visit.client(UpdateMobilesDocument, {
    items: [
      { id, name: `${name} (demo)` },
      { id, name },
      { id: refused.id, tagIds: [UNKNOWN_TAG] },
    ],
  });
  await expectOneFailure(visit, () => visit.client(MobilesStatusDocument, { jobId }));
}
