/** The form of an organisation code is the same for a token, for the header of a callback, and for a job. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isOrganisationCode } from '../../src/base/wire/organisation-code.js';
import { startTestGateway } from '../support/gateway.js';
import { createAccount, DRIVING_REPORT, MOBILES } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { pollJob, startJob } from '../support/started-jobs.js';

const CODES: readonly (readonly [what: string, code: string, allowed: boolean])[] = [
  ['a word', 'acme', true],
  ['one character', 'x', true],
  ['a space within', 'acme inc', true],
  ['spaces around it', ' acme ', true],
  ['256 characters', 'a'.repeat(256), true],
  ['257 characters', 'a'.repeat(257), false],
  ['what a path is made of', '../a/b\\c?d#e', true],
  ['what a key is made of', 'job:{a}*', true],
  ['percent signs', '100%41', true],
  ['a control character', 'a\u0000b', true],
  ['a line break', 'a\r\nb', true],
  ['170 full stops', '.'.repeat(170), true],
  ['171 full stops, too long once they are encoded', '.'.repeat(171), false],
  ['256 full stops', '.'.repeat(256), false],
  ['56 characters of three bytes', '株'.repeat(56), true],
  ['57 characters of three bytes', '株'.repeat(57), false],
  ['42 characters of four bytes', '🚚'.repeat(42), true],
  ['43 characters of four bytes', '🚚'.repeat(43), false],
  ['nothing', '', false],
  ['a space', ' ', false],
  ['white space', '\t\u3000\u00a0', false],
];

const gateway = forAllTests(startTestGateway);

const bearerOf = (org: unknown): Promise<string> => gateway.bearer({ claims: { 'org:id': org } });

describe('an organisation code of', () => {
  it.each(CODES)('%s is taken by all or by none', async (_what, code, allowed) => {
    expect(isOrganisationCode(code)).toBe(allowed);
    const bearer = await bearerOf(code);

    const { data, errors } = await gateway.graphql('{ me { Org } }', {}, bearer);
    expect(data).toEqual({ me: allowed ? { Org: code } : null });
    expect(errors?.map(({ message }) => message)).toEqual(allowed ? undefined : ['token is invalid']);

    const jobId = randomUUID();
    const headers = { 'x-job-id': jobId, 'x-org-id': encodeURIComponent(code) };
    const { status, body } = await gateway.callback(MOBILES, [], headers);
    expect(status).toBe(allowed ? 200 : 400);
    if (!allowed) expect(body).toMatchObject({ errors: [{ path: 'x-org-id' }] });

    if (!allowed) return;
    expect(await pollJob(gateway, 'mobiles', jobId, bearer)).toMatchObject({ status: 'Success' });
    const { jobId: ordered } = await startJob(gateway, 'accounts', [createAccount('somebody')], bearer);
    expect(await pollJob(gateway, 'accounts', ordered, bearer)).toMatchObject({ jobId: ordered });
  });

  it.each([
    ['a lone surrogate', 'acme\ud800'],
    ['a number', 7],
    ['a list', ['acme']],
    ['null', null],
  ])('%s is no code either, which a header cannot even say', async (_what, org) => {
    const { errors } = await gateway.graphql('{ me { Org } }', {}, await bearerOf(org));
    expect(errors?.map(({ message }) => message)).toEqual(['token is invalid']);
  });
});

it('the longest code has room for the report of the longest job id', async () => {
  const headers = { 'x-job-id': '.'.repeat(128), 'x-org-id': '.'.repeat(170) };
  // The simulated backend knows no such organisation, so it is asked nothing.
  const report = { date: '2026-11-19T00:00:00+09:00', drivers: [] };
  expect((await gateway.callback(DRIVING_REPORT, report, headers)).status).toBe(200);
});
