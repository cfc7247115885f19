/** A signature has one spelling; whatever else decodes to the same bytes is refused. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/base/config/key-ring.js';
import { createDownloadLinks } from '../../src/objects/files/file-object-store.js';
import { startTestGateway } from '../support/gateway.js';
import { forAllTests } from '../support/resources.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Other spellings of the same bytes: bits that are left over, padding, white space, the other alphabet. */
function spellings(text: string): Record<string, string> {
  const last = ALPHABET.indexOf(text.slice(-1));
  const beforeLast = text.slice(0, -1);
  return {
    'a left-over bit': `${beforeLast}${ALPHABET[last ^ 1] ?? ''}`,
    padding: `${text}${'='.repeat((4 - (text.length % 4)) % 4)}`,
    'too much padding': `${text}====`,
    'a space at its end': `${text} `,
    'a space within': `${text.slice(0, 10)} ${text.slice(10)}`,
    'a tab within': `${text.slice(0, 10)}\t${text.slice(10)}`,
    'the other alphabet': text.replaceAll('-', '+').replaceAll('_', '/'),
    'a character of no alphabet': `${text.slice(0, 10)}!${text.slice(10)}`,
  };
}

describe('the signature of a token', () => {
  const gateway = forAllTests(startTestGateway);

  async function ask(token: string): Promise<string | undefined> {
    const { errors } = await gateway.graphql('{ me { Org } }', {}, `Bearer ${token}`);
    return errors?.[0]?.message;
  }

  it.each(Object.keys(spellings('A'.repeat(342))))('is refused with %s, whichever is asked with first', async (how) => {
    for (const part of [0, 1, 2]) {
      for (const known of [false, true]) {
        const jti = randomBytes(8).toString('hex');
        const token = (await gateway.bearer({ claims: { jti } })).slice('Bearer '.length);
        if (known) expect(await ask(token)).toBeUndefined();
        const parts = token.split('.');
        const other = spellings(parts[part] ?? '')[how] ?? '';
        // Some lengths leave nothing over, and some texts have no character of the other alphabet.
        if (other === parts[part]) continue;
        // White space at the end of a header is none of its value (RFC 9110, section 5.5).
        if (part === 2 && other.trimEnd() === parts[part]) continue;
        parts[part] = other;
        expect(await ask(parts.join('.'))).toBe('token is invalid');
        expect(await ask(token)).toBeUndefined();
      }
    }
  });
});

describe('the signature of a download link', () => {
  const links = createDownloadLinks({ linkBase: () => '', keyRing: new KeyRing([randomBytes(32)]), clock: () => 0 });

  const queryOf = (expiresInMs: number, downloadName: string): URLSearchParams =>
    new URL(links.create('a.pdf', { expiresInMs, downloadName }), 'http://gateway.test').searchParams;

  it.each(Object.keys(spellings('A'.repeat(43))))('is refused with %s', (how) => {
    for (const downloadName of ['report.pdf', 'a report.pdf', '運行報告書.pdf']) {
      const query = queryOf(1_000, downloadName);
      const verify = (sig: string): unknown => links.verify('a.pdf', query.get('exp') ?? '', sig);
      const [name = '', signature = ''] = (query.get('sig') ?? '').split('.');
      expect(verify(`${name}.${signature}`)).toEqual({ downloadName });
      const others = [`${spellings(name)[how]}.${signature}`, `${name}.${spellings(signature)[how]}`];
      // Some texts have no character of the other alphabet.
      for (const other of others) if (other !== query.get('sig')) expect(verify(other)).toBeUndefined();
    }
  });

  it('is refused when it is valid for longer than five minutes after its lifetime', () => {
    for (const [expiresInMs, isTaken] of [
      [600_000, true],
      [600_001, false],
      [1e12, false],
    ] as const) {
      const found = links.verify('a.pdf', String(expiresInMs), queryOf(expiresInMs, 'a.pdf').get('sig') ?? '');
      expect([expiresInMs, found !== undefined]).toEqual([expiresInMs, isTaken]);
    }
  });
});
