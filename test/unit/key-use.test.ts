/** The use of each of two keys is reported, so that operators know when the previous one may go. */
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/config/key-ring.js';
import { SignedCallbacks } from '../../src/http/signed-callbacks.js';
import { signCallback } from '../../src/job-record/callback-signature.js';
import { openPayload, sealPayload } from '../../src/job-record/payload-encryption.js';

const [OLD, NEW, FOREIGN] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]; // as many
const JOB = { kind: 'mobiles', org: 'acme', jobId: 'job-1' } as const;

/** A ring while keys are rotated, and what it has reported. */
function rotatedRing(): { readonly ring: KeyRing; readonly told: string[] } {
  const told: string[] = [];
  return { ring: new KeyRing([NEW, OLD], (key, generation) => told.push(`${key} ${generation}`)), told };
}

describe('a key ring tells which key was of use', () => {
  it('when a message is opened', async () => {
    const { ring, told } = rotatedRing();
    await openPayload(ring, JOB, await sealPayload(new KeyRing([OLD]), JOB, '[]'));
    await openPayload(ring, JOB, await sealPayload(ring, JOB, '[]'));
    expect(told).toEqual(['encryption previous', 'encryption current']);
  });

  it('when a download link is verified, and not when it is forged', () => {
    const { ring, told } = rotatedRing();
    const [signature] = new KeyRing([OLD]).sign('download-link', 'a link');
    const [forged] = new KeyRing([FOREIGN]).sign('download-link', 'a link');
    expect(ring.verify('download-link', 'a link', signature)).toBe(true);
    expect(ring.verify('download-link', 'a link', forged)).toBe(false);
    expect(told).toEqual(['encryption previous']);
  });
});

it('the check of signed callbacks tells which secret had signed and nothing when none had', async () => {
  const told: string[] = [];
  const signed = new SignedCallbacks({
    secrets: [NEW, OLD],
    replayMemory: { remember: () => Promise.resolve(true) },
    onKeyUsed: (key, generation) => told.push(`${key} ${generation}`),
  });
  const body = Buffer.from('[]');
  await signed.requireFirst(signCallback([OLD], JOB, '[]', Date.now()), body);
  await signed.requireFirst(signCallback([NEW], JOB, '[]', Date.now()), body);
  await expect(signed.requireFirst(signCallback([FOREIGN], JOB, '[]', Date.now()), body)).rejects.toThrow();
  expect(told).toEqual(['signing previous', 'signing current']);
});
