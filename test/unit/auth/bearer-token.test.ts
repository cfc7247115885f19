/** Tokens whose signature was verified once: what is checked of them each time they come. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { createAuthenticate, type Authenticate } from '../../../src/auth/bearer-token.js';
import { createKeySource } from '../../../src/auth/public-keys.js';
import type { PublicKey } from '../../../src/clients/backend-api.js';
import { GatewayError } from '../../../src/errors.js';

const ISSUER = 'https://issuer.test';
const TOLERANCE = 30;
const NOW = 1_900_000_000;

interface Pair {
  readonly privateKey: KeyObject;
  readonly published: PublicKey;
}

function pair(kid: string): Pair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, published: { kid, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() } };
}

const FIRST = pair('first');
const SECOND = pair('second');
/** Another key under the name of the first. */
const IMPOSTOR = { ...SECOND, published: { ...SECOND.published, kid: 'first' } };

function sign({ privateKey, published: { kid = '' } }: Pair, claims: object = {}): Promise<string> {
  const payload = { preferred_username: 'demo', 'org:id': 'acme', region: 'jp', iss: ISSUER, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}

let seconds: number;
let published: readonly PublicKey[];
let fetches: number;
let authenticate: Authenticate;

beforeEach(() => {
  seconds = NOW;
  published = [FIRST.published];
  fetches = 0;
  const now = (): number => seconds * 1000;
  const fetch = (): Promise<readonly PublicKey[]> => {
    fetches += 1;
    return Promise.resolve(published);
  };
  authenticate = createAuthenticate({ keys: createKeySource(fetch, { maxAgeMs: 0, now }), issuers: [ISSUER], now });
});

/** The organisation of the user, or the code of the refusal. */
async function ask(token: string): Promise<string> {
  try {
    return (await authenticate(`Bearer ${token}`)).Org;
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error);
  }
}

describe('a token that was verified before', () => {
  it('is accepted again, and the keys are fetched each time', async () => {
    const token = await sign(FIRST);
    expect([await ask(token), await ask(token), await ask(token)]).toEqual(['acme', 'acme', 'acme']);
    expect(fetches).toBe(3);
  });

  it('gives users that nobody can change for others', async () => {
    const token = await sign(FIRST);
    const user = await authenticate(`Bearer ${token}`);
    expect(() => Object.assign(user, { Org: 'globex' })).toThrow(TypeError);
    expect(await ask(token)).toBe('acme');
  });

  it('is refused once it has expired, to the second', async () => {
    const token = await sign(FIRST, { exp: NOW });
    expect(await ask(token)).toBe('acme');
    seconds = NOW + TOLERANCE - 1;
    expect(await ask(token)).toBe('acme');
    seconds = NOW + TOLERANCE;
    expect(await ask(token)).toBe('UnAuthenticated');
  });

  it('is refused before its time, should the clock be set back', async () => {
    const token = await sign(FIRST, { nbf: NOW });
    expect(await ask(token)).toBe('acme');
    seconds = NOW - TOLERANCE;
    expect(await ask(token)).toBe('acme');
    seconds = NOW - TOLERANCE - 1;
    expect(await ask(token)).toBe('UnAuthenticated');
  });

  it('is refused once its key is gone, and accepted when the key is back', async () => {
    const token = await sign(FIRST);
    expect(await ask(token)).toBe('acme');
    published = [SECOND.published];
    expect(await ask(token)).toBe('UnAuthenticated');
    published = [FIRST.published];
    expect(await ask(token)).toBe('acme');
  });

  it('is refused once another key has the name of its own', async () => {
    const token = await sign(FIRST);
    expect(await ask(token)).toBe('acme');
    published = [IMPOSTOR.published];
    expect(await ask(token)).toBe('UnAuthenticated');
  });

  it('stays accepted while keys come and go beside its own', async () => {
    const token = await sign(FIRST);
    expect(await ask(token)).toBe('acme');
    published = [SECOND.published, FIRST.published];
    expect([await ask(token), await ask(await sign(SECOND))]).toEqual(['acme', 'acme']);
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
