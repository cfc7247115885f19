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

/** What a server answers to it, once. @throws {Error} an error, or anything but 200 */
export async function askOnce(server: RunningServer, request: LoadRequest): Promise<{ text: string; data: string }> {
  const { path, headers, body } = request;
  const reply = await fetch(`${server.origin}${path}`, { method: 'POST', headers: { ...headers }, body });
  const text = await reply.text();
  const parsed: unknown = reply.status === 200 ? JSON.parse(text) : undefined;
  if (typeof parsed !== 'object' || parsed === null || 'errors' in parsed || !('data' in parsed)) {
    throw new Error(`${server.name} answered ${reply.status}: ${text}`);
  }
  return { text, data: JSON.stringify(parsed.data) };
}
