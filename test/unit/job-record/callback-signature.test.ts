import { describe, expect, it } from '@jest/globals';
import { parseSigningSecrets } from '../../../src/base/config/key-ring.js';
import { isAttemptAt, signingSecretOf, signCallback } from '../../../src/jobs/record/callback-signature.js';
import { VECTORS } from '../../support/vectors.js';

const { secret, headers: SIGNED, body: BODY } = VECTORS.standardWebhooks;
const [SECRET] = parseSigningSecrets(secret) ?? [new Uint8Array()];
const JOB = { org: 'acme', jobId: 'job' };
const UUID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

describe('the signature of a callback', () => {
  it('is that of Standard Webhooks', () => {
    expect(signingSecretOf([SECRET], SIGNED, Buffer.from(BODY))).toBe(0);
    expect(signingSecretOf([SECRET], SIGNED, Buffer.from(BODY.replace(' ', '')))).toBe(-1);
  });

  it.each(VECTORS.calls)('is that of the published vectors: $what', ({ call: { headers, body } }) => {
    const secrets = parseSigningSecrets(VECTORS.keys.CALLBACK_SIGNING_SECRET) ?? [SECRET];
    expect(secrets.map((each) => signingSecretOf([each], headers, Buffer.from(body)))).toEqual([0, 0]);
  });

  it('is over the bytes of the body in UTF-8, whatever they are', () => {
    const body = '[{"name":"株式会社"}]';
    const signed = signCallback([SECRET], JOB, body, 1_614_265_330_000);
    expect(signingSecretOf([SECRET], signed, Buffer.from(body))).toBe(0);
    expect(signingSecretOf([SECRET], signed, Buffer.from(body, 'latin1'))).toBe(-1);
  });

  it('is made under every secret, and tells which of them the receiver knows', () => {
    const [old, next, other] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
    const signed = signCallback([next, old], JOB, BODY, 1_614_265_330_999);
    expect(signed['webhook-timestamp']).toBe('1614265330');
    expect(signed['webhook-signature'].split(' ')).toHaveLength(2);
    const secretOf = (...secrets: Buffer[]): number => signingSecretOf(secrets, signed, Buffer.from(BODY));
    expect([secretOf(old), secretOf(next), secretOf(other), secretOf(other, old)]).toEqual([0, 0, -1, 1]);
  });

  it.each([['webhook-id'], ['webhook-timestamp'], ['webhook-signature']] as const)('covers %s', (name) => {
    const signed = { ...SIGNED, [name]: `${SIGNED[name].slice(0, -1)}_` };
    expect(signingSecretOf([SECRET], signed, Buffer.from(BODY))).toBe(-1);
  });

  it('may stand among others, of any length', () => {
    const among = { ...SIGNED, 'webhook-signature': `v1,short  v1a,x ${SIGNED['webhook-signature']}` };
    expect(signingSecretOf([SECRET], among, Buffer.from(BODY))).toBe(0);
  });
});

describe('the id of an attempt', () => {
  it('is new for each, and names organisation and job', () => {
    const ids = [1, 2].map(() => signCallback([SECRET], JOB, BODY, 0)['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^acme\.job\.[0-9a-f-]{36}$/);
    const nameless = signCallback([SECRET], { org: undefined, jobId: undefined }, BODY, 0);
    expect(nameless['webhook-id']).toMatch(/^\.\.[0-9a-f-]{36}$/);
  });

  it.each([
    ...VECTORS.attemptIds.map(({ org, jobId, id }) => [{ org, jobId }, id, true] as const),
    ...VECTORS.calls.map(({ message, call }) => [message, call.headers['webhook-id'], true] as const),
    [JOB, `globex.job.${UUID}`, false],
    [JOB, `acme.job2.${UUID}`, false],
    [JOB, `acme.job.${UUID}0`, false],
    [JOB, `acme.job.0${UUID}`, false],
    [JOB, `acme.job.${UUID.toUpperCase()}`, false],
    [JOB, 'acme.job.', false],
    [{ org: undefined, jobId: undefined }, `acme.job.${UUID}`, false],
  ])('of %j is "%s": %s', (job, id, expected) => expect(isAttemptAt(job, id)).toBe(expected));
});
