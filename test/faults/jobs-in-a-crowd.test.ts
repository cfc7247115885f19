/** A job goes on while more operations come than can be run. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { startSharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

const ITEMS = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));

/** As many connections ask again as soon as they are answered. */
const CROWD = 40;

const programs = forAllTests(() => BuiltPrograms.open());
const ground = forAllTests(startSharedGround);
const gateway = forAllTests(() =>
  programs.startGateway({ ...PRODUCTION_ENVIRONMENT, ...backendEnvironment(ground.sandbox), DATA_DIR: ground.dataDir }),
);
let isOver = false;
let answered = 0;
forAllTests(
  () => ({ gone: Promise.all(Array.from({ length: CROWD }, (_, member) => askAgainAndAgain(member))) }),
  (crowd) => {
    isOver = true;
    return crowd.gone;
  },
);

/** Documents that were never seen before, and take milliseconds. */
async function askAgainAndAgain(member: number): Promise<void> {
  const node = 'id num name position { latitude longitude speedKmh address } voice { online talkGroup }';
  const pages = Array.from(
    { length: 10 },
    (_, page) => `page${page}: mobiles(first: ${page + 1}) { edges { node { ${node} } } }`,
  );
  for (let number = 0; !isOver; number += 1) {
    const body = JSON.stringify({ query: `query Crowd${member}x${number} { ${pages.join(' ')} }` });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
    expect(await reply.text()).toContain('Authorization header not set');
    answered += 1;
  }
}

it('an item of it waits for few operations', async () => {
  await waitFor('the crowd to be there', () => answered > 3 * CROWD);
  const before = answered;
  const reply = await fetch(`${gateway.url}${MOBILES}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
      ...jobHeaders(randomUUID()),
    },
    body: JSON.stringify(ITEMS),
  });
  expect(await reply.json()).toEqual({ status: 'Success' });
  // With operations in each turn of the event loop it is six and more.
  expect((answered - before) / ITEMS.length).toBeLessThan(4);
});
