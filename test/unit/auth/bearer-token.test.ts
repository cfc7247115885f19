/** Tokens whose signature was verified once: what is checked of them each time they come. */
import { createSecretKey } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import {
  createAuthenticate,
  VerifiedTokens,
  type Authenticate,
  type OtherKind,
  type TokenRefusal,
  type TokenRefusedError,
} from '../../../src/gateway/auth/bearer-token.js';
import { PublicKeys } from '../../../src/gateway/auth/public-keys.js';
import type { AuthUser } from '../../../src/gateway/auth/auth-user.js';
import type { PublicKey } from '../../../src/clients/backend-api.js';
import { GatewayError } from '../../../src/base/errors.js';
import { rsa, rsaPair, token, type RsaPair } from '../../support/rsa-tokens.js';

const ISSUER = 'https://issuer.test';
const TOLERANCE = 30;
const NOW = 1_900_000_000;

const FIRST = rsaPair('first');
const SECOND = rsaPair('second');
/** Another key under the name of the first. */
const IMPOSTOR = { ...SECOND, published: { ...SECOND.published, kid: 'first' } };

const CLAIMS = { preferred_username: 'demo', 'org:id': 'acme', region: 'jp', iss: ISSUER };

function sign({ privateKey, published: { kid = '' } }: RsaPair, claims: object = {}): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}

let seconds: number;
let published: readonly PublicKey[];
let authenticate: Authenticate;
let verified: VerifiedTokens;
let refused: TokenRefusedError[];
let others: [OtherKind, string][];

beforeEach(() => {
  verified = new VerifiedTokens();
  seconds = NOW;
  published = [FIRST.published];
  const now = (): number => seconds * 1000;
  const keys = new PublicKeys(() => Promise.resolve(published), { maxAgeMs: 0, now });
  refused = [];
  const onRefused = (error: TokenRefusedError): unknown => refused.push(error);
  others = [];
  const onOtherKind = (claim: OtherKind, issuer: string): unknown => others.push([claim, issuer]);
  authenticate = createAuthenticate({ keys, issuers: [ISSUER], now, verified, onRefused, onOtherKind });
});

/** The organisation of the user, or the code of the refusal. */
async function ask(token: string): Promise<string> {
  try {
    return (await authenticate(`Bearer ${token}`)).Org;
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error);
  }
}

describe('a token that is refused', () => {
  it.each<[TokenRefusal, () => string | Promise<string>, string | undefined]>([
    ['form', () => 'no.token', undefined],
    ['key_id', () => sign(SECOND), undefined],
    ['signature', () => sign({ ...SECOND, published: FIRST.published }), undefined],
    ['expiry', () => sign(FIRST, { exp: NOW - 31 }), undefined],
    ['issuer', () => sign(FIRST, { iss: 'https://other' }), 'https://other'],
    ['claim', () => sign(FIRST, { region: ' ' }), ISSUER],
  ])('tells operators why, and its issuer only if its signature is right: %s', async (reason, token, issuer) => {
    expect(await ask(await token())).toBe('UnAuthenticated');
    expect(refused.map(({ refusal, issuer: told }) => [refusal, told])).toEqual([[reason, issuer]]);
  });
});

describe('a token that is accepted', () => {
  it.each<[OtherKind | 'none', object]>([
    ['none', { typ: 'Bearer', token_use: 'access', exp: NOW + 300_000_000 }],
    ['typ', { typ: 'ID' }],
    ['typ', { typ: 'Refresh' }],
    ['typ', { typ: 'Offline' }],
    ['token_use', { token_use: 'id' }],
    ['events', { events: {} }],
    ['exp', { exp: undefined }],
    ['exp', { exp: NOW + 320_000_000 }],
  ])('tells operators by which claim it is of another kind: %s', async (claim, claims) => {
    const token = await sign(FIRST, claims);
    for (let time = 0; time < 2; time += 1) expect(await ask(token)).toBe('acme');
    expect(others).toEqual(claim === 'none' ? [] : [[claim, ISSUER]]);
  });
});

describe('a token that was verified before', () => {
  it('is not verified again: it gives the very same user as long as its key is there', async () => {
    const token = await sign(FIRST);
    const user = await authenticate(`Bearer ${token}`);
    expect(await authenticate(`Bearer ${token}`)).toBe(user);
    published = [SECOND.published, FIRST.published];
    expect(await authenticate(`Bearer ${token}`)).toBe(user);
    expect(await authenticate(`Bearer ${await sign(FIRST, { jti: 'another' })}`)).not.toBe(user);
    // It cannot be changed for other requests.
    expect(() => Object.assign(user, { Org: 'globex' })).toThrow(TypeError);
  });

  it('is refused and forgotten once it has expired, to the second', async () => {
    const token = await sign(FIRST, { exp: NOW });
    expect(await ask(token)).toBe('acme');
    seconds = NOW + TOLERANCE - 1;
    expect(await ask(token)).toBe('acme');
    expect(verified.get(token)).toBeDefined();
    seconds = NOW + TOLERANCE;
    expect(await ask(token)).toBe('UnAuthenticated');
    expect(verified.get(token)).toBeUndefined();
  });

  it('is refused before its time, should the clock be set back', async () => {
    const token = await sign(FIRST, { nbf: NOW });
    expect(await ask(token)).toBe('acme');
    seconds = NOW - TOLERANCE;
    expect(await ask(token)).toBe('acme');
    seconds = NOW - TOLERANCE - 1;
    expect(await ask(token)).toBe('UnAuthenticated');
  });

  it.each([
    ['its key is gone', SECOND],
    ['another key has the name of its own', IMPOSTOR],
  ])('is refused once %s, and accepted when its key is back', async (_what, other) => {
    const token = await sign(FIRST);
    expect(await ask(token)).toBe('acme');
    published = [other.published];
    expect(await ask(token)).toBe('UnAuthenticated');
    published = [FIRST.published];
    expect(await ask(token)).toBe('acme');
  });

  it('says nothing about another token, however alike', async () => {
    const token = await sign(FIRST);
    expect(await ask(token)).toBe('acme');
    const [header = '', , signature = ''] = token.split('.');
    const [, claims = ''] = (await sign(FIRST, { 'org:id': 'globex' })).split('.');
    expect(await ask(`${header}.${claims}.${signature}`)).toBe('UnAuthenticated');
    expect(await ask(`${token}A`)).toBe('UnAuthenticated');
  });
});

describe('a token that was verified, when not all can be remembered', () => {
  /** As if so many other tokens had been verified meanwhile. */
  function remember(count: number, length: number): void {
    const known = verified.get(token);
    if (known === undefined) throw new Error('The token is not remembered.');
    for (let index = 0; index < count; index += 1) verified.set(`${index}`.padEnd(length, '.'), known);
  }

  let token: string;
  let user: AuthUser;

  beforeEach(async () => {
    token = await sign(FIRST);
    user = await authenticate(`Bearer ${token}`);
  });

  it.each([
    ['10,000 of them', 10_000 - 1, 100],
    ['32 MiB of them', 4_096 - 1, 8_192],
  ])('is remembered among %s; behind one more it is verified again and not refused', async (_room, others, length) => {
    remember(others, length);
    expect(await authenticate(`Bearer ${token}`)).toBe(user);
    remember(others + 1, length);
    const again = await authenticate(`Bearer ${token}`);
    expect(again).not.toBe(user);
    expect(again).toEqual(user);
  });

  it('stays while it is used, whatever comes and goes beside it', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      remember(5_000, 100 + turn);
      expect(await authenticate(`Bearer ${token}`)).toBe(user);
    }
  });

  it('is verified each time when it is longer than 8 KiB', async () => {
    const empty = (await sign(FIRST, { note: '' })).length;
    const asLong = (length: number) => sign(FIRST, { note: '.'.repeat(Math.floor(((length - empty) * 3) / 4)) });
    const [allowed, long] = [await asLong(8_192), await asLong(8_196)];
    expect(allowed.length).toBeLessThanOrEqual(8_192);
    expect(long.length).toBeGreaterThan(8_192);
    expect(await authenticate(`Bearer ${allowed}`)).toBe(await authenticate(`Bearer ${allowed}`));
    const first = await authenticate(`Bearer ${long}`);
    expect(await authenticate(`Bearer ${long}`)).toEqual(first);
    expect(await authenticate(`Bearer ${long}`)).not.toBe(first);
  });
});

describe('what is no token that we could have verified', () => {
  it.each([
    ['JWT', 'acme'],
    ['at+jwt', 'acme'],
    ['AT+JWT', 'acme'],
    ['application/at+jwt', 'acme'],
    ['Application/AT+JWT', 'acme'],
    ['application/application/at+jwt', 'UnAuthenticated'],
    ['application/at+jwt/x', 'UnAuthenticated'],
    ['application/', 'UnAuthenticated'],
    ['text/at+jwt', 'UnAuthenticated'],
    ['dpop+jwt', 'UnAuthenticated'],
    ['', 'UnAuthenticated'],
    [1, 'UnAuthenticated'],
    [null, 'UnAuthenticated'],
  ])('is a token of another type: %j is %s', async (typ, expected) => {
    const header = { alg: 'RS256', kid: 'first', typ };
    expect(await ask(token(header, CLAIMS, rsa(FIRST)))).toBe(expected);
  });

  it('is a token whose key is named by anything but a text', async () => {
    published = [{ pem: FIRST.published.pem }];
    const signed = (kid: unknown): string => token({ alg: 'RS256', kid, typ: 'JWT' }, CLAIMS, rsa(FIRST));
    expect([await ask(signed(1)), await ask(signed('1'))]).toEqual(['UnAuthenticated', 'acme']);
  });

  it('is not the reason when a key cannot be used at all', async () => {
    const token = await sign(FIRST);
    const key = createSecretKey(Buffer.alloc(32));
    const keys = { fetchKeys: () => Promise.resolve([]), candidates: () => Promise.resolve([{ kid: 'first', key }]) };
    const failing = createAuthenticate({ keys, issuers: [ISSUER], now: () => NOW * 1000 });
    await expect(failing(`Bearer ${token}`)).rejects.toThrow(TypeError);
  });
});
