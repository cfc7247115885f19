import type { LoadRequest } from '../programs/load-protocol.js';
import type { ServerName } from './servers.js';
import { askOnce, requestOf } from './graphql-request.js';
import type { RunningServer, Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** One server under one workload. */
export interface Cell {
  readonly workload: WorkloadName;
  readonly server: ServerName;
}

/** A cell that is ready to be loaded. */
export interface ReadyCell extends Cell {
  readonly running: RunningServer;
  readonly request: LoadRequest;
}

/** Names a cell within a run. */
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
    if (!first.has(workload)) await prepare?.(stage);
    const request = requestOf(workload, stage);
    const { text, data } = await askOnce(running, request);
    const expected = first.get(workload) ?? { server, data };
    if (data !== expected.data) {
      throw new Error(`${workload}: ${server} answers ${data}, and ${expected.server} answers ${expected.data}.`);
    }
    first.set(workload, expected);
    ready.push({ workload, server, running, request: { ...request, expected: replyContains ?? text } });
  }
  return ready;
}
