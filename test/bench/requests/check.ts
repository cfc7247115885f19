import { cellsOf } from './cells.js';
import { compare } from './compare.js';
import { runInterleaved } from './interleaved.js';
import { prepare } from './prepare.js';
import { median } from './section.js';
import { SERVERS } from './servers.js';
import { Stage } from './stage.js';
import { WORKLOADS } from './workloads.js';

/**
 * `npm run bench:check`: fails when the gateway has become far slower against those beside it. Ratios alone are
 * judged, their medians, and twice the reach is allowed, so that a small and busy machine tells the truth as well.
 */
const CHECKED = ['public', 'me'] as const;
const MARGIN = 2;

/** A machine whose caches others use slows the gateway more than small servers, and for minutes at a time. */
const ATTEMPTS = 3;

/** A machine that is busy with other work delays turns of the event loop, for which a gateway would refuse requests. */
const SETTINGS = { MAX_EVENT_LOOP_DELAY_MS: '60000' };

await prepare();
const stage = await Stage.open(SETTINGS);
try {
  const judged = cellsOf(CHECKED).filter(
    ({ workload, server }) =>
      WORKLOADS[workload].subject === server ||
      WORKLOADS[workload].against.some((other) => other.server === server && other.max !== undefined),
  );
  const options = { rounds: 3, seconds: 2, warmUpSeconds: 4, startsAnew: false };
  const best = new Map<string, { readonly ratio: number; readonly allowed: number }>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const samples = await runInterleaved(judged, stage, options);
    for (const workload of CHECKED) {
      for (const { server, max, ratios } of compare(workload, samples)) {
        if (max === undefined) continue;
        const what = `${workload}: times ${SERVERS[server].label}`;
        const ratio = Math.min(median(ratios), best.get(what)?.ratio ?? Infinity);
        best.set(what, { ratio, allowed: MARGIN * max });
      }
    }
    if ([...best.values()].every(({ ratio, allowed }) => ratio <= allowed)) break;
  }
  for (const [what, { ratio, allowed }] of best) {
    const isMet = ratio <= allowed;
    process.stdout.write(
      `${isMet ? 'ok      ' : 'TOO SLOW'} ${what}: ${ratio.toFixed(2)}, ${allowed.toFixed(2)} allowed\n`,
    );
    if (!isMet) process.exitCode = 1;
  }
} finally {
  await stage.close();
}
