/** A job goes on while more operations come than can be run. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

const ITEMS = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));

/** As many connections ask again as soon as they are answered. */
const CROWD = 40;

let ground: SharedGround;
let programs: BuiltPrograms;
let gateway: ServingProgram;
let isOver = false;
let answered = 0;
let crowd: Promise<unknown>;

beforeAll(async () => {
  [programs, ground] = await Promise.all([BuiltPrograms.open(), startSharedGround()]);
  gateway = await programs.startGateway({
    ...PRODUCTION_ENVIRONMENT,
    ...backendEnvironment(ground.sandbox),
    DATA_DIR: ground.dataDir,
  });
  crowd = Promise.all(Array.from({ length: CROWD }, (_, member) => askAgainAndAgain(member)));
});
afterAll(async () => {
  isOver = true;
  await crowd;
  await programs.close();
  await ground.close();
});

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
