import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from 'jose';

import { KeyRing, parseMasterKeys } from '../../../src/base/config/key-ring.js';
import { openPayload, sealPayload, UnknownKeyError } from '../../../src/jobs/record/payload-encryption.js';
import type { JobIdentity } from '../../../src/jobs/record/job-record.js';
import { VECTORS } from '../../support/vectors.js';

const JOB: JobIdentity = { kind: 'user-accounts', org: '株式会社', jobId: 'job-1' };
const BODY = JSON.stringify([{ type: 0, userAccountInput: { loginId: '田中', password: 'correct-horse' } }]);

describe('A queue payload', () => {
  const masterKey = randomBytes(32);
  const keyRing = new KeyRing([masterKey]);

  it.each([JOB.org, undefined])('comes back as it was sealed, for the organisation %s', (org) => {
    const job = { ...JOB, org };
    expect(openPayload(keyRing, job, sealPayload(keyRing, job, BODY))).toBe(BODY);
  });

  it('names key, time and job in its protected header and shows nothing of the body', () => {
    const jwe = sealPayload(keyRing, JOB, BODY, 1_800_000_000_999);
    expect(decodeProtectedHeader(jwe)).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: keyRing.for('queue-payload')[0].kid,
      iat: 1_800_000_000,
      ...JOB,
    });
    expect(Buffer.from(jwe.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('correct-horse');
    expect(sealPayload(keyRing, JOB, BODY)).not.toBe(jwe);
  });

  it('is a compact JWE to anybody who knows the key, and one of anybody else can be opened', async () => {
    const [{ kid, key }] = keyRing.for('queue-payload');
    const { plaintext } = await compactDecrypt(sealPayload(keyRing, JOB, BODY), key);
    expect(new TextDecoder().decode(plaintext)).toBe(BODY);
    const foreign = await new CompactEncrypt(new TextEncoder().encode(BODY))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, ...JOB })
      .encrypt(key);
    expect(openPayload(keyRing, JOB, foreign)).toBe(BODY);
  });

  /** A message that an owner of the key made in another way. */
  function madeOtherwise(header: object, change: (parts: string[]) => string[] = (parts) => parts): string {
    const [{ kid, key }] = keyRing.for('queue-payload');
    const text = JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid, ...JOB, ...header });
    const protectedHeader = Buffer.from(text).toString('base64url');
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(protectedHeader));
    const ciphertext = Buffer.concat([cipher.update(BODY), cipher.final()]);
    const encoded = [iv, ciphertext, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url'));
    return change([protectedHeader, '', ...encoded]).join('.');
  }

  it('that is made as ours can be opened', () => expect(openPayload(keyRing, JOB, madeOtherwise({}))).toBe(BODY));

  it.each(VECTORS.calls)('of the published vectors can be opened: $what', ({ message, call }) => {
    const published = new KeyRing(parseMasterKeys(VECTORS.keys.JOB_ENCRYPTION_KEY) ?? [masterKey]);
    expect(openPayload(published, message, message.payload)).toBe(call.body);
    const named = published
      .for('queue-payload')
      .map(({ kid, key }) => ({ kid, key: Buffer.from(key).toString('base64url') }));
    expect(named).toEqual(VECTORS.keys.payloadKeys);
  });

  const same = (parts: string[]): string[] => parts;
  it.each<[string, object, (parts: string[]) => string[]]>([
    ['compressed', { zip: 'DEF' }, same],
    ['with another algorithm', { alg: 'A256KW' }, same],
    ['without an algorithm', { alg: undefined }, same],
    ['with another cipher', { enc: 'A128GCM' }, same],
    ['with a critical header', { crit: ['x'], x: 1 }, same],
    ['with an encrypted key', {}, ([header = '', , ...rest]) => [header, 'AAAA', ...rest]],
    ['with a part too many', {}, (parts) => [...parts, '']],
    ['with a part too few', {}, (parts) => parts.slice(0, 4)],
    ...['x', 'null', '"dir"'].map((header): [string, object, (parts: string[]) => string[]] => [
      `with the header ${header}`,
      {},
      ([, ...rest]) => [Buffer.from(header).toString('base64url'), ...rest],
    ]),
  ])('that was made %s is refused, although its key is right', (_how, header, change) => {
    const made = madeOtherwise(header, change);
    expect(() => openPayload(keyRing, JOB, made)).toThrow('damaged or was tampered with');
  });

  it.each([[undefined], [7], [null]])('that names its key as %j is of no key that is known', (kid) => {
    expect(() => openPayload(keyRing, JOB, madeOtherwise({ kid, iat: 'noon' }))).toThrow(UnknownKeyError);
  });

  it.each([
    ['a left-over bit', (tag: string) => `${tag.slice(0, -1)}${tag.endsWith('A') ? 'B' : 'A'}`],
    ['padding', (tag: string) => `${tag}==`],
    ['half of its tag', (tag: string) => tag.slice(0, 11)],
    ['no tag', () => ''],
  ])('with %s at its end is refused', (_what, change) => {
    const parts = sealPayload(keyRing, JOB, BODY).split('.');
    const changed = [...parts.slice(0, 4), change(parts[4] ?? '')].join('.');
    expect(() => openPayload(keyRing, JOB, changed)).toThrow('damaged or was tampered with');
  });

  it('can be opened with the former key while keys are rotated', () => {
    const jwe = sealPayload(keyRing, JOB, BODY);
    const rotated = new KeyRing([randomBytes(32), masterKey]);
    expect(openPayload(rotated, JOB, jwe)).toBe(BODY);
    expect(decodeProtectedHeader(sealPayload(rotated, JOB, BODY)).kid).not.toBe(decodeProtectedHeader(jwe).kid);
  });

  it('cannot be opened without its key, and the error names the key', () => {
    const jwe = sealPayload(keyRing, JOB, BODY, 1_800_000_000_999);
    const { kid } = decodeProtectedHeader(jwe);
    const keyRingOfOthers = new KeyRing([randomBytes(32)]);
    expect(() => openPayload(keyRingOfOthers, JOB, jwe)).toThrow(new UnknownKeyError(String(kid)));
  });

  it.each<Partial<JobIdentity>>([{ kind: 'mobiles' }, { org: 'other' }, { org: undefined }, { jobId: 'job-2' }])(
    'cannot be opened for another job: %j',
    (changes) => {
      const jwe = sealPayload(keyRing, JOB, BODY);
      expect(() => openPayload(keyRing, { ...JOB, ...changes }, jwe)).toThrow(
        'The queue payload belongs to another job.',
      );
    },
  );

  it('cannot be opened when any part of it was changed', () => {
    const parts = sealPayload(keyRing, JOB, BODY).split('.');
    for (const changed of [2, 3, 4]) {
      const tampered = parts.map((part, index) => (index === changed ? flipFirst(part) : part)).join('.');
      expect(() => openPayload(keyRing, JOB, tampered)).toThrow('damaged or was tampered with');
    }
    const header = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(parts.join('.')), jobId: 'job-2' })).toString(
      'base64url',
    );
    const moved = [header, ...parts.slice(1)].join('.');
    expect(() => openPayload(keyRing, { ...JOB, jobId: 'job-2' }, moved)).toThrow('damaged or was tampered with');
  });

  it.each(['', 'text', 'a.b.c', '....', 'e30....'])('that is none is refused: "%s"', (text) => {
    expect(() => openPayload(keyRing, JOB, text)).toThrow(/The queue payload/);
  });
});

function flipFirst(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}
