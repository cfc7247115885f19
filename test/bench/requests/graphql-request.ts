import type { LoadRequest } from '../programs/load-protocol.js';
import type { RunningServer, Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** The request of a workload, as every server gets it. */
export function requestOf(workload: WorkloadName, { credentials }: Stage): LoadRequest {
  const { query, variables, authenticated } = WORKLOADS[workload];
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

/** What a server answers to it, once. @throws {Error} an error, anything beside `data`, or anything but 200 */
export async function askOnce(server: Pick<RunningServer, 'name' | 'origin'>, request: LoadRequest): Promise<Answer> {
  const { path, headers, body } = request;
  const reply = await fetch(`${server.origin}${path}`, { method: 'POST', headers: { ...headers }, body });
  const text = await reply.text();
  const parsed: unknown = reply.status === 200 ? JSON.parse(text) : undefined;
  const isDataAlone = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).join() === 'data';
  const [, data] = (isDataAlone && /^\{"data":(.+)\}\n?$/su.exec(text)) || [];
  if (data === undefined) throw new Error(`${server.name} answered ${reply.status}: ${text}`);
  return { text, data };
}
