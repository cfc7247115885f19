/** schema/README.md is run: its documents in their order, with the variables and the reply below each. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { gatewayForAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

type Shown = Record<string, unknown>;

const PAGE = readFileSync(path.join(ROOT, 'schema/README.md'), 'utf8');

const parsed = (json = ''): Shown => JSON.parse(json) as Shown; // an object, as the pattern requires

/** Documents by the name of the operation. */
const STEPS = Object.fromEntries(
  [
    ...PAGE.matchAll(/```graphql\n((?:query|mutation) (\w+)[^`]*)```\n\n```json\n({[^`]*)```\n\n```json\n({[^`]*)```/g),
  ].map(([, document = '', name = '', variables, reply]) => [
    name,
    { document, variables: parsed(variables), reply: parsed(reply) },
  ]),
);

const [, AFTER_FAULT] = /`--fault mobile:3=fails`[^`]*```json\n({[^`]*)```/.exec(PAGE) ?? [];
const [, WITH_ERROR] = /^## Errors\n\n```json\n({[^`]*)```/m.exec(PAGE) ?? [];

/** A text with `…` stands for every text that begins as it does, and a number of seconds for every other. */
function like(shown: unknown, name = ''): unknown {
  if (Array.isArray(shown)) return shown.map((each) => like(each));
  if (typeof shown === 'object' && shown !== null) {
    return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, like(value, key)]));
  }
  if (typeof shown === 'number' && /Seconds$|In$/.test(name)) return expect.any(Number);
  const [start, ...rest] = typeof shown === 'string' ? shown.split('…') : [];
  return rest.length === 0 ? shown : expect.stringMatching(`^${start}`);
}

const gateway = gatewayForAllTests();

/** Values of the replies so far, by name. */
const given: Record<string, unknown> = {};

async function run(name: string, changed: Shown = {}): Promise<unknown> {
  const { document = '', variables = {} } = STEPS[name] ?? {};
  const sent = Object.entries({ ...variables, ...changed }).map(([key, value]) => [
    key,
    value === '…' ? given[key] : value,
  ]);
  const { accessToken } = given;
  const authorization = typeof accessToken === 'string' ? `Bearer ${accessToken}` : '';
  const { data } = await gateway.graphql(document, Object.fromEntries(sent) as object, authorization);
  JSON.stringify(data, (key, value: unknown) => {
    if (typeof value === 'string') given[key] = value;
    return value;
  });
  return data;
}

/** Polls until the job has ended. */
const pollToEnd = () =>
  waitFor('the end of the job', async () => {
    const data = (await run('Job')) as { job: { completed: boolean } }; // as its document selects
    return data.job.completed && data;
  });

it.each(['LogIn', 'Refresh', 'Mobiles', 'OrderReport', 'Job', 'Cancel', 'Download', 'SendCode', 'Verify'])(
  'schema/README.md shows the reply to its document %s',
  async (name) => {
    const { jobId } = given;
    const hold = name === 'Cancel' ? gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' }) : undefined;
    if (hold) {
      await run('OrderReport', { idempotencyKey: 'another' });
      await hold.held();
    }
    if (name === 'SendCode') {
      expect(await run('LogIn', { loginId: 'otp', password: 'otp-password' })).toMatchObject({
        userLogin: { session: null, otpRequired: true },
      });
    }
    given['code'] = gateway.sandbox.otps.last('otp');
    const data = name === 'Job' ? await pollToEnd() : await run(name);
    expect(data).toEqual(like(STEPS[name]?.reply));
    if (hold) {
      hold.release();
      given['jobId'] = jobId;
    }
  },
);

it('schema/README.md shows a Failure that has a PDF, and the link leads to it', async () => {
  gateway.sandbox.faults.set({ mobileId: '3', fault: { kind: 'status', status: 422, message: 'mobile 3 is refused' } });
  await run('OrderReport', { idempotencyKey: 'with a fault' });
  expect(await pollToEnd()).toEqual(like(parsed(AFTER_FAULT)));
  const response = await fetch(new URL(String(given['downloadUrl']), gateway.url));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
});

it('schema/README.md shows an error as it is', async () => {
  const { accessToken } = given;
  const { body } = await gateway.graphql('{ job(jobId: "1") { completed } }', {}, `Bearer ${String(accessToken)}`);
  expect(body).toEqual(parsed(WITH_ERROR));
});
