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
  const options = { rounds: 3, seconds: 0.6, warmUpSeconds: 0.8, startsAnew: false };
  const samples = await runInterleaved(judged, stage, options);
  for (const workload of CHECKED) {
    for (const { server, max, ratios } of compare(workload, samples)) {
      if (max === undefined) continue;
      const ratio = median(ratios);
      const isMet = ratio <= MARGIN * max;
      const figures = `${ratio.toFixed(2)} times ${SERVERS[server].label}, ${(MARGIN * max).toFixed(2)} allowed`;
      process.stdout.write(`${isMet ? 'ok     ' : 'TOO SLOW'} ${workload}: ${figures}\n`);
      if (!isMet) process.exitCode = 1;
    }
  }
} finally {
  await stage.close();
}
