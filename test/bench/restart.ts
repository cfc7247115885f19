/** How long after a change of a source `npm run dev` has a gateway that answers GraphQL: `npm run bench:restart`. */
import { startDevelopment } from '../support/development.js';
import { median } from './requests/section.js';

const ROUNDS = 7;

const dev = await startDevelopment();
const times: number[] = [];
try {
  await dev.listeningWith('GraphQL');
  for (let round = 0; round < ROUNDS; round += 1) {
    // As somebody who reads what the restart says before the next change.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const begun = performance.now();
    await dev.write(dev.welcoming(`Round${round}`));
    const url = await dev.listeningWith(`Round${round}`);
    const reply = await fetch(`${url}/graphql?query={serviceVersion}`);
    if (!reply.ok) throw new Error(`The restarted gateway answers ${reply.status}.`);
    times.push(Math.round(performance.now() - begun));
  }
} finally {
  await dev.close();
}
const best = Math.min(...times);
process.stdout.write(
  `From a change to an answer: median ${median(times)} ms, best ${best} ms (${times.join(', ')}).\n`,
);
