/**
 * Tokens as JOSE's own documents give them, and as those forge them who know its weak places: algorithm confusion, keys
 * that a token brings along, paddings, spellings, JSON that can be read in two ways.
 */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CompactEncrypt, exportJWK } from 'jose';
import { createAuthenticate, readHeader, verifySignedToken } from '../../src/gateway/auth/bearer-token.js';
import { PublicKeys, type VerificationKey } from '../../src/gateway/auth/public-keys.js';
import type { PublicKey } from '../../src/clients/backend-api.js';
import { GatewayError } from '../../src/base/errors.js';
import { serveOnLoopback } from '../support/loopback.js';
import { forAllTests } from '../support/resources.js';
import { emsa, encoded, hmac, padded, pss, rsa, rsaPair, SHA256_PREFIX, token } from '../support/rsa-tokens.js';

const NOW = 1_900_000_000;
const ISSUER = 'https://issuer.test';
const CLAIMS = { preferred_username: 'demo', 'org:id': 'acme', region: 'jp', iss: ISSUER, exp: NOW + 600 };
const HEADER = { alg: 'RS256', kid: 'first' };

const FIRST = rsaPair('first');
const SECOND = rsaPair('second');
const WEAK = rsaPair('weak', 1024);
const STRANGER = rsaPair('first');

let published: readonly PublicKey[];
const now = (): number => NOW * 1000;
const keys = new PublicKeys(() => Promise.resolve(published), { maxAgeMs: 0, now });

beforeEach(() => {
  published = [FIRST.published];
});

/** The organisation of the user, or the code of the refusal; never the same object twice, as nothing is remembered. */
async function ask(text: string): Promise<string> {
  const authenticate = createAuthenticate({ keys, issuers: [ISSUER], now });
  try {
    return (await authenticate(`Bearer ${text}`)).Org;
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error);
  }
}

const good = token(HEADER, CLAIMS, rsa(FIRST));
const REFUSED = 'UnAuthenticated';

/** Header `alg` of a token that is otherwise right, signed or not. */
const unsigned = (header: unknown): string => token(header, CLAIMS, () => new Uint8Array());

/** Key and token of RFC 7515, appendix A.2. */
const RFC_7515 = {
  n:
    'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ' +
    'S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2' +
    'R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcD' +
    'TW9gb54h4FRWyuXpoQ',
  token:
    'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0' +
    'cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9u' +
    'JdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383L' +
    'cOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmt' +
    'VrBp0igcN_IoypGlUPQGe77Rw',
};

it('the example of RFC 7515 is verified while it is valid, and makes no user', async () => {
  const key = createPublicKey({ key: { kty: 'RSA', n: RFC_7515.n, e: 'AQAB' }, format: 'jwk' });
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  const expires = 1_300_819_380;
  const claims = { iss: 'joe', exp: expires, 'http://example.com/is_root': true };
  const verified = async (seconds: number): Promise<unknown> => {
    const candidates: readonly VerificationKey[] = await keys.candidates(undefined);
    const header = readHeader(RFC_7515.token);
    const checked = header && (await verifySignedToken(RFC_7515.token, header, candidates, seconds * 1000));
    return typeof checked === 'object' ? checked.claims : checked;
  };
  expect(await verified(expires - 1)).toBe('signature');
  published = [{ pem }];
  expect([await verified(expires - 1), await verified(expires + 29)]).toEqual([claims, claims]);
  expect(await verified(expires + 30)).toBe('expiry');
  expect(await ask(RFC_7515.token)).toBe(REFUSED);
});

it('what all of these depart from is accepted', async () => {
  const right = padded(FIRST, (hash, length) => emsa(length, info(hash)));
  expect([await ask(good), await ask(token(HEADER, CLAIMS, right))]).toEqual(['acme', 'acme']);
});

const info = (hash: Buffer): Buffer => Buffer.concat([SHA256_PREFIX, hash]);

describe('an algorithm', () => {
  const secrets: readonly (readonly [string, string | Uint8Array])[] = [
    ['the PEM text of the public key', FIRST.pem],
    ['the same without its last line end', FIRST.pem.trim()],
    ['the public key in DER', FIRST.publicKey.export({ type: 'spki', format: 'der' })],
    ['the public key in PKCS #1', FIRST.publicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['its JWK', JSON.stringify(FIRST.publicKey.export({ format: 'jwk' }))],
    ['its modulus', Buffer.from(FIRST.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')],
    ['nothing', ''],
  ];

  it.each(secrets)('of HMAC is refused with %s as its secret', async (_what, secret) => {
    for (const [alg, digest] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
      ['RS256', 'sha256'],
    ] as const) {
      expect(await ask(token({ ...HEADER, alg }, CLAIMS, hmac(secret, digest)))).toBe(REFUSED);
    }
  });

  it.each(['none', 'None', 'NONE', 'nOnE', 'none ', ' none', 'none\u0000', '', 'null', 'RS256 ', 'rs256', 'RSA256'])(
    'called %j is refused, signed rightly or not at all',
    async (alg) => {
      expect(await ask(unsigned({ ...HEADER, alg }))).toBe(REFUSED);
      expect(await ask(unsigned({ alg }))).toBe(REFUSED);
      expect(await ask(token({ ...HEADER, alg }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
    },
  );

  it.each([[undefined], [null], [['RS256']], [{ RS256: 1 }], [256], [true]])('that is %j is refused', async (alg) => {
    expect(await ask(token({ ...HEADER, alg }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
    expect(await ask(unsigned({ ...HEADER, alg }))).toBe(REFUSED);
  });

  it('other than RS256 is refused, however well it is signed', async () => {
    expect(await ask(token({ ...HEADER, alg: 'RS384' }, CLAIMS, rsa(FIRST, 'sha384')))).toBe(REFUSED);
    expect(await ask(token({ ...HEADER, alg: 'RS512' }, CLAIMS, rsa(FIRST, 'sha512')))).toBe(REFUSED);
    expect(await ask(token({ ...HEADER, alg: 'RS1' }, CLAIMS, rsa(FIRST, 'sha1')))).toBe(REFUSED);
    expect(await ask(token({ ...HEADER, alg: 'PS256' }, CLAIMS, pss(FIRST)))).toBe(REFUSED);
    // And under the name of RS256.
    for (const signature of [rsa(FIRST, 'sha384'), rsa(FIRST, 'sha512'), rsa(FIRST, 'sha1'), pss(FIRST)]) {
      expect(await ask(token(HEADER, CLAIMS, signature))).toBe(REFUSED);
    }
  });

  it('of another kind of key is refused, though the key is published', async () => {
    const kinds = [
      ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
      ['EdDSA', generateKeyPairSync('ed25519')],
      ['RS256', generateKeyPairSync('rsa-pss', { modulusLength: 2048 })],
    ] as const;
    for (const [alg, { publicKey, privateKey }] of kinds) {
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      published = [{ kid: 'other', pem }, FIRST.published];
      const digest = alg === 'EdDSA' ? null : 'sha256';
      const signed = (header: object): string =>
        token(header, CLAIMS, (input) => sign(digest, input, { key: privateKey, dsaEncoding: 'ieee-p1363' }));
      for (const kid of ['other', undefined]) expect(await ask(signed({ alg, kid }))).toBe(REFUSED);
      expect(await ask(good)).toBe('acme');
    }
  });
});

describe('a header', () => {
  it.each([
    ['{"alg":"none","alg":"RS256","kid":"first"}', 'acme'],
    ['{"alg":"RS256","alg":"none","kid":"first"}', REFUSED],
    ['{"alg":"RS256","alg":"HS256","kid":"first"}', REFUSED],
    ['{"alg":"RS256","kid":"stranger","kid":"first"}', 'acme'],
    ['{"alg":"RS256","kid":"first","kid":"stranger"}', REFUSED],
    ['{"ALG":"RS256","kid":"first"}', REFUSED],
    ['{"\\u0061lg":"RS256","kid":"first"}', 'acme'],
    ['{"__proto__":{"alg":"RS256"},"kid":"first"}', REFUSED],
  ])('%s counts as its last members say (RFC 7515, section 4): %s', async (header, outcome) => {
    expect(await ask(token(header, CLAIMS, rsa(FIRST)))).toBe(outcome);
    expect(await ask(unsigned(header))).toBe(REFUSED);
    expect(await ask(token(header, CLAIMS, hmac(FIRST.pem)))).toBe(REFUSED);
  });

  it.each([[[]], [['exp']], [['kid']], [['alg']], [['b64']], [['x']], ['exp'], [{}], [null], [[1]], [['exp', 'exp']]])(
    'with %j to be understood is refused (RFC 7515, section 4.1.11)',
    async (crit) => {
      const named = { exp: NOW + 600, x: 1, b64: false };
      expect(await ask(token({ ...HEADER, ...named, crit }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
      expect(await ask(token({ ...HEADER, crit }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
    },
  );

  it('with b64 has no other payload than one in base64url (RFC 7797, section 7)', async () => {
    const header = encoded({ ...HEADER, b64: false, crit: ['b64'] });
    const payload = JSON.stringify(CLAIMS);
    const signature = rsa(FIRST)(Buffer.from(`${header}.${payload}`)).toString('base64url');
    expect(await ask(`${header}.${payload}.${signature}`)).toBe(REFUSED);
    expect(await ask(token({ ...HEADER, b64: false, crit: ['b64'] }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
    // Without `crit` it is an unknown member, which is ignored.
    expect(await ask(token({ ...HEADER, b64: false }, CLAIMS, rsa(FIRST)))).toBe('acme');
  });

  const LONG = 'x'.repeat(8_000);
  const names = ['../../../dev/null', '/etc/passwd', "' or 1=1 --", '\u0000', '', 'FIRST', 'first ', '__proto__', LONG];
  const kinds: unknown[] = [1, 0, true, null, {}, ['first'], { toString: 'first' }];
  it.each([...names, ...kinds].map((kid) => [kid]))('with the kid %j is refused', async (kid) => {
    expect(await ask(token({ alg: 'RS256', kid }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
  });

  it.each([['null'], ['[]'], ['"RS256"'], ['7'], [''], ['{'], ['{}'], ['{"alg":"RS256"}x'], ["{'alg':'RS256'}"]])(
    'that is %s is refused',
    async (header) => expect(await ask(token(header, CLAIMS, rsa(FIRST)))).toBe(REFUSED),
  );

  describe('that brings a key along, or says where one is,', () => {
    const server = forAllTests(() =>
      serveOnLoopback((_request, response) => {
        asked += 1;
        response.end(JSON.stringify({ keys: [] }));
      }),
    );
    let asked: number;
    beforeEach(() => {
      asked = 0;
    });

    it('is refused when that key has signed, and the key is not looked at when ours has', async () => {
      const jwk = await exportJWK(STRANGER.publicKey);
      const x5c = [STRANGER.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')];
      const thumbprint = createHash('sha256').update(x5c.join()).digest('base64url');
      const url = `${server.url}/keys`;
      const given = [{ jwk }, { jku: url }, { x5u: url }, { x5c }, { 'x5t#S256': thumbprint }, { jwk, jku: url, x5c }];
      for (const members of given) {
        for (const kid of ['first', undefined, 'stranger']) {
          expect(await ask(token({ alg: 'RS256', kid, ...members }, CLAIMS, rsa(STRANGER)))).toBe(REFUSED);
        }
        expect(await ask(token({ ...HEADER, ...members }, CLAIMS, rsa(FIRST)))).toBe('acme');
      }
      expect(asked).toBe(0);
    });
  });
});

describe('a signature', () => {
  const [input, bytes] = split(good);
  const signed = (signature: Uint8Array): string => `${input}.${Buffer.from(signature).toString('base64url')}`;

  function split(text: string): readonly [string, Buffer<ArrayBuffer>] {
    const at = text.lastIndexOf('.');
    return [text.slice(0, at), Buffer.from(text.slice(at + 1), 'base64url')];
  }

  const number = (value: Uint8Array): bigint => BigInt(`0x${Buffer.from(value).toString('hex')}`);
  const modulus = number(Buffer.from(FIRST.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url'));
  const asBytes = (value: bigint): Buffer => {
    const hex = value.toString(16);
    return Buffer.from(hex.padStart(2 * Math.max(256, Math.ceil(hex.length / 2)), '0'), 'hex');
  };

  it.each<readonly [string, Uint8Array]>([
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.alloc(1)],
    ['zero', Buffer.alloc(256)],
    ['one', asBytes(1n)],
    ['the modulus', asBytes(modulus)],
    ['one less than the modulus', asBytes(modulus - 1n)],
    ['itself and the modulus', asBytes(number(bytes) + modulus)],
    ['its own negative', asBytes(modulus - number(bytes))],
    ['cut short by a byte', bytes.subarray(0, -1)],
    ['cut short at its beginning', bytes.subarray(1)],
    ['longer by a zero', Buffer.concat([bytes, Buffer.alloc(1)])],
    ['prefixed by a zero', Buffer.concat([Buffer.alloc(1), bytes])],
    ['twice', Buffer.concat([bytes, bytes])],
    ['reversed', Buffer.from(bytes).reverse()],
    ['of random bytes', randomBytes(256)],
    ['as its own text', Buffer.from(bytes.toString('base64url'))],
    ['in hexadecimal', Buffer.from(bytes.toString('hex'))],
    ['of another token', split(token(HEADER, { ...CLAIMS, region: 'us' }, rsa(FIRST)))[1]],
  ])('that is %s is refused', async (_what, signature) => expect(await ask(signed(signature))).toBe(REFUSED));

  it('is refused with any one of its bits changed', async () => {
    for (let bit = 0; bit < 2048; bit += 37) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await ask(signed(changed))).toBe(REFUSED);
    }
  });

  it('keeps the zero it begins with, and is refused without', async () => {
    let found = good;
    for (let jti = 0; split(found)[1][0] !== 0; jti += 1) found = token(HEADER, { ...CLAIMS, jti }, rsa(FIRST));
    expect(await ask(found)).toBe('acme');
    const [start, signature] = split(found);
    expect(await ask(`${start}.${signature.subarray(1).toString('base64url')}`)).toBe(REFUSED);
  });

  /** A hash behind the bytes that name its algorithm. */
  const named =
    (...hex: readonly string[]) =>
    (hash: Buffer): Buffer =>
      Buffer.concat([Buffer.from(hex.join(''), 'hex'), hash]);
  const sha1 = (hash: Buffer): Buffer => createHash('sha1').update(hash).digest();
  const behindLength = SHA256_PREFIX.toString('hex', 2);
  const rubbish = Buffer.alloc(256 - 3 - 8 - 51, 0x61);
  const FORGED: readonly (readonly [string, (hash: Buffer) => Buffer, Parameters<typeof emsa>[2]?])[] = [
    ['without DigestInfo', (hash) => hash],
    ['of type 0', info, { type: 0, fill: 0 }],
    ['of type 2', info, { type: 2 }],
    ['of other bytes', info, { fill: 0xfe }],
    ['without a separator', info, { separator: 0xff }],
    ['of 8 bytes and rubbish behind the hash', info, { after: rubbish }],
    ['and a byte behind the hash', info, { after: Buffer.alloc(1) }],
    ['without NULL parameters', named('302f300b0609608648016503040201', '0420')],
    ['with a long form of a length', named('308131', behindLength)],
    ['with an indefinite length', (hash) => Buffer.concat([named('3080', behindLength)(hash), Buffer.alloc(2)])],
    ['naming SHA-512', named('3031300d060960864801650304020305000420')],
    ['naming SHA-1', (hash) => named('3021300906052b0e03021a05000414')(sha1(hash))],
    ['with rubbish as parameters', named('3033300f060960864801650304020105020000', '0420')],
    ['with a hash that is cut short', (hash) => info(hash.subarray(0, 31))],
    ['of zeros', () => info(Buffer.alloc(32))],
  ];

  it.each(FORGED)('with a padding %s is refused', async (...[, digestInfo, how]) => {
    const forged = padded(FIRST, (hash, length) => emsa(length, digestInfo(hash), how));
    expect(await ask(token(HEADER, CLAIMS, forged))).toBe(REFUSED);
  });

  it('without any padding is refused', async () => {
    const forged = padded(FIRST, (hash, length) => Buffer.concat([Buffer.alloc(length - 32), hash]));
    expect(await ask(token(HEADER, CLAIMS, forged))).toBe(REFUSED);
  });
});

describe('a key', () => {
  it('of 1024 bits verifies nothing, and alone is no key at all', async () => {
    published = [WEAK.published, FIRST.published];
    for (const kid of ['weak', 'first', undefined]) {
      expect(await ask(token({ alg: 'RS256', kid }, CLAIMS, rsa(WEAK)))).toBe(REFUSED);
    }
    expect(await ask(good)).toBe('acme');
    published = [WEAK.published];
    expect(await ask(token({ alg: 'RS256', kid: 'weak' }, CLAIMS, rsa(WEAK)))).toBe('ServiceUnavailable');
  });

  it('is found wherever it stands while keys are rotated, with or without its name', async () => {
    const both = [FIRST.published, SECOND.published];
    const nameless = both.map(({ pem }) => ({ pem }));
    const namesakes = both.map(({ pem }) => ({ kid: 'same', pem }));
    for (const set of [both, nameless]) {
      for (published of [set, [...set].reverse()]) {
        for (const pair of [FIRST, SECOND]) {
          for (const kid of [pair.published.kid, undefined]) {
            expect(await ask(token({ alg: 'RS256', kid }, CLAIMS, rsa(pair)))).toBe('acme');
          }
        }
        expect(await ask(token({ alg: 'RS256' }, CLAIMS, rsa(STRANGER)))).toBe(REFUSED);
      }
    }
    published = namesakes;
    for (const pair of [FIRST, SECOND]) {
      expect(await ask(token({ alg: 'RS256', kid: 'same' }, CLAIMS, rsa(pair)))).toBe('acme');
    }
    published = both;
    // One of them does not vouch for what the other is said to have signed.
    expect(await ask(token({ alg: 'RS256', kid: 'second' }, CLAIMS, rsa(FIRST)))).toBe(REFUSED);
  });
});

describe('what is no signed token', () => {
  const [header = '', payload = '', signature = ''] = good.split('.');

  it.each([
    ['nothing', ''],
    ['a full stop', '.'],
    ['two full stops', '..'],
    ['two parts', `${header}.${payload}`],
    ['two parts and a full stop', `${header}.${payload}.`],
    ['four parts', `${good}.${signature}`],
    ['a full stop in front', `.${good}`],
    ['a full stop behind', `${good}.`],
    ['five parts, as encrypted tokens have', `${header}..${payload}.${payload}.${signature}`],
    ['JSON', JSON.stringify({ payload, protected: header, signature })],
    ['JSON of several signatures', JSON.stringify({ payload, signatures: [{ protected: header, signature }] })],
    ['a list of tokens', `${good},${good}`],
    ['a scheme twice', `Bearer ${good}`],
    ['a space in front', ` ${good}`],
    ['a tab in front', `\t${good}`],
    ['quotation marks around it', `"${good}"`],
  ])('%s is refused', async (_what, text) => expect(await ask(text)).toBe(REFUSED));

  it('is a token that anybody encrypted with the public key', async () => {
    for (const text of [JSON.stringify(CLAIMS), good]) {
      const jwe = await new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: 'first', cty: 'JWT' })
        .encrypt(FIRST.publicKey);
      expect(await ask(jwe)).toBe(REFUSED);
    }
  });

  it('is a token within a token, each of them signed', async () => {
    expect(await ask(token({ ...HEADER, cty: 'JWT' }, good, rsa(FIRST)))).toBe(REFUSED);
    expect(await ask(token({ ...HEADER, cty: 'JWT' }, JSON.stringify(good), rsa(FIRST)))).toBe(REFUSED);
  });
});

describe('a payload that the right key has signed', () => {
  const json = JSON.stringify(CLAIMS);
  const withOrg = (bytes: number[]): Buffer => {
    const [before = '', after = ''] = json.split('acme');
    return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  };

  it.each<readonly [string, unknown]>([
    ['a byte that is no UTF-8', withOrg([0x61, 0xff])],
    ['a character in too many bytes', withOrg([0xc1, 0xa1])],
    ['a surrogate in UTF-8', withOrg([0xed, 0xa0, 0x80])],
    ['a character cut short', withOrg([0x61, 0xe6, 0xa0])],
    ['half of a surrogate pair', json.replace('acme', 'acme\\ud800')],
    ['UTF-16', Buffer.from(json, 'utf16le')],
    ['null', 'null'],
    ['a list', `[${json}]`],
    ['a text', JSON.stringify(json)],
    ['nothing', ''],
    ['two objects', `${json}${json}`],
    ['a comment', `/**/${json}`],
    ['NaN', json.replace(String(CLAIMS.exp), 'NaN')],
    ['claims in its prototype', `{"__proto__":${json}}`],
    ['claims in another case', json.replace('org:id', 'ORG:ID')],
  ])('is refused when it is or holds %s', async (_what, payload) => {
    expect(await ask(token(HEADER, payload, rsa(FIRST)))).toBe(REFUSED);
  });

  it('counts as its last members say (RFC 7519, section 4)', async () => {
    const twice = json.replace('{', '{"org:id":"globex",');
    expect(await ask(token(HEADER, twice, rsa(FIRST)))).toBe('acme');
    const lastIsBlank = json.replace(/}$/, ',"org:id":" "}');
    expect(await ask(token(HEADER, lastIsBlank, rsa(FIRST)))).toBe(REFUSED);
  });

  const timed = (claim: string, value: string): string =>
    `${JSON.stringify({ ...CLAIMS, [claim]: undefined }).slice(0, -1)},"${claim}":${value}}`;

  it.each([
    ['exp', '1e308', 'acme'],
    ['exp', '9007199254740993', 'acme'],
    ['exp', '99999999999999999999999999', 'acme'],
    ['exp', `${NOW}.5`, 'acme'],
    ['exp', '0', REFUSED],
    ['exp', '-1', REFUSED],
    ['exp', '-1e308', REFUSED],
    ['exp', '1e-300', REFUSED],
    ['exp', 'null', REFUSED],
    ['exp', 'true', REFUSED],
    ['exp', '[]', REFUSED],
    ['exp', '{}', REFUSED],
    ['exp', `"${NOW + 600}"`, REFUSED],
    ['nbf', '1e308', REFUSED],
    ['nbf', '9007199254740993', REFUSED],
    ['nbf', '-1e308', 'acme'],
    ['nbf', `"${NOW}"`, REFUSED],
    ['nbf', 'null', REFUSED],
  ])('with %s %s: %s', async (claim, value, outcome) => {
    const text = token(HEADER, timed(claim, value), rsa(FIRST));
    expect(await ask(text)).toBe(outcome);
  });
});
