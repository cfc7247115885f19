import { withId, type LoadRequest } from '../programs/load-protocol.js';
import type { ServerName } from './servers.js';
import { callbackHeaders, type RunningServer, type Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

export interface Cell {
  readonly workload: WorkloadName;
  readonly server: ServerName;
}

export interface ReadyCell extends Cell {
  readonly running: RunningServer;
  readonly request: LoadRequest;
}

export function keyOf({ workload, server }: Cell): string {
  return `${workload} ${server}`;
}

/**
 * The cells of workloads, with those they are compared with, each once, in the order in which they take turns: what is
 * held against each other runs soon after each other. So a workload that is held against another one of the gateway
 * follows right behind that one.
 */
export function cellsOf(workloads: readonly WorkloadName[]): Cell[] {
  const cells = [...new Set(workloads.map(homeOf))].flatMap((home): Cell[] => {
    const together = workloads.filter((workload) => homeOf(workload) === home);
    return [
      ...together.map((workload) => ({ workload, server: WORKLOADS[workload].subject })),
      ...together.flatMap((workload) => WORKLOADS[workload].against.map((other) => ({ workload, ...other }))),
    ];
  });
  return [
    ...new Map(cells.map(({ workload, server }) => [keyOf({ workload, server }), { workload, server }])).values(),
  ];
}

/** The workload whose servers it is compared with, be it by way of another one. */
function homeOf(workload: WorkloadName): WorkloadName {
  const other = WORKLOADS[workload].against.find((compared) => compared.workload !== undefined)?.workload;
  return other === undefined ? workload : homeOf(other);
}

/**
 * Starts the servers of the cells and holds their answers against each other.
 *
 * @throws {Error} two servers answer the same workload with different data
 */
export async function prepareCells(cells: readonly Cell[], stage: Stage): Promise<ReadyCell[]> {
  const first = new Map<WorkloadName, { readonly server: ServerName; readonly data: string }>();
  const ready: ReadyCell[] = [];
  for (const { workload, server } of cells) {
    const { prepare, replyContains } = WORKLOADS[workload];
    const running = await stage.server(server);
    await prepare?.(stage, running);
    const request = requestOf(workload, stage);
    const reply = await askOnce(running, request);
    const { text } = reply;
    // Another checkout may be another release.
    const data = reply.data.replace(/(?<="(?:serviceVersion|jobId|downloadUrl)":)"[^"]+"/, '"…"');
    const expected = first.get(workload) ?? { server, data };
    if (data !== expected.data) {
      throw new Error(`${workload}: ${server} answers ${data}, and ${expected.server} answers ${expected.data}.`);
    }
    first.set(workload, expected);
    ready.push({ workload, server, running, request: { ...request, expected: replyContains ?? text } });
  }
  return ready;
}

/** The request of a workload, as every server gets it. */
export function requestOf(workload: WorkloadName, { credentials }: Stage): LoadRequest {
  const { query, variables, authenticated, callback } = WORKLOADS[workload];
  if (callback !== undefined) {
    const headers = { ...callbackHeaders(credentials, '[id]'), 'content-type': 'application/json' };
    return { path: query, headers, body: JSON.stringify(callback) };
  }
  return {
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...(authenticated && { authorization: credentials.authorization }) },
    body: JSON.stringify({ query, ...(variables && { variables }) }),
  };
}

/** A reply and the text of its `data` member, as the bytes came. */
export interface Answer {
  readonly text: string;
  readonly data: string;
}

/** Answer of a server to it, once. @throws {Error} an error, anything beside `data`, or anything but 200 */
export async function askOnce(server: Pick<RunningServer, 'name' | 'origin'>, request: LoadRequest): Promise<Answer> {
  const { path, headers, body } = withId(request);
  const reply = await fetch(`${server.origin}${path}`, { method: 'POST', headers: { ...headers }, body });
  const text = await reply.text();
  if (path !== '/graphql' && reply.status === 200) return { text, data: text };
  const parsed: unknown = reply.status === 200 ? JSON.parse(text) : undefined;
  const isDataAlone = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).join() === 'data';
  const [, data] = (isDataAlone && /^\{"data":(.+)\}\n?$/su.exec(text)) || [];
  if (data === undefined) throw new Error(`${server.name} answered ${reply.status}: ${text}`);
  return { text, data };
}
