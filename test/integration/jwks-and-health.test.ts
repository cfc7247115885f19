/** The public key set and the two health checks, beyond what the specification's rows say. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { createHttpApp } from '../../src/gateway/http/koa-app.js';
import { captureLog } from '../support/captured-log.js';
import { failingApp } from '../support/failing-app.js';
import { startTestGateway, type Reply } from '../support/gateway.js';
import { serveOnLoopback } from '../support/loopback.js';
import { closeAfterTest, gatewayForAllTests, temporaryDirectory } from '../support/resources.js';

const JWKS = '/.well-known/jwks.json';

interface Keys {
  readonly keys: readonly { readonly kid: string; readonly n: string; readonly e: string }[];
}

function rsa(modulusLength: number): string {
  return generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

describe('GET /.well-known/jwks.json', () => {
  const [strong, another, weak] = [rsa(2048), rsa(2048), rsa(1024)];
  const gateway = gatewayForAllTests();

  const get = (headers: Record<string, string> = {}): Promise<Reply> => gateway.rest('GET', JWKS, { headers });
  const publish = (...keys: { kid?: string; pem: string }[]): (() => void) =>
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status: 200, body: { keys } } });
  async function keys(): Promise<Keys['keys']> {
    return ((await get()).body as Keys).keys; // its shape was checked against the specification
  }

  it('is 503 with Retry-After, still for every origin, when backend-api was down from the start', async () => {
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'down' } });
    const { status, body, headers } = await get();
    expect([status, body]).toEqual([
      503,
      { message: 'Vehicles and accounts cannot be reached at the moment. Try again later.' },
    ]);
    expect(headers.get('retry-after')).toBe('5');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('no-store');
    gateway.sandbox.faults.clear();
    expect((await get()).status).toBe(200);
  });

  it('may be kept for five minutes and be read from every origin', async () => {
    const { headers } = await get({ origin: 'https://anywhere.example' });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('answers 304 without a body while the key set is the same, and 200 after a rotation', async () => {
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      // Without its own Cache-Control the client would ask for a fresh copy.
      const again = await get({ 'if-none-match': known, 'cache-control': 'max-age=0' });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
      expect(again.headers.get('cache-control')).toBe('public, max-age=300');
    }
    await gateway.sandbox.rotateKeys();
    const rotated = await get({ 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(rotated.status).toBe(200);
    expect(rotated.headers.get('etag')).not.toBe(etag);
  });

  it.each([
    ['nothing', { kind: 'down' }],
    ['an error', { kind: 'status', status: 500 }],
    ['no JSON', { kind: 'garbage' }],
    ['no keys', { kind: 'status', status: 200, body: { keys: [] } }],
    ['something else', { kind: 'status', status: 200, body: { jwks: 1 } }],
    ['no usable key', { kind: 'status', status: 200, body: { keys: [{ pem: 'x' }] } }],
  ] as const)('holds the last good set while backend-api answers %s', async (_what, fault) => {
    const good = await get();
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault });
    const kept = await get();
    expect([kept.status, kept.text, kept.headers.get('etag')]).toEqual([200, good.text, good.headers.get('etag')]);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=30');
    expect(kept.headers.get('age')).toMatch(/^\d{1,2}$/);
    expect(good.headers.has('age')).toBe(false);
  });

  it('names a key by its RFC 7638 thumbprint when backend-api does not name it', async () => {
    publish({ pem: strong });
    const { n = '', e = '' } = createPublicKey(strong).export({ format: 'jwk' });
    expect(await keys()).toEqual([
      { alg: 'RS256', kty: 'RSA', use: 'sig', n, e, kid: await calculateJwkThumbprint({ kty: 'RSA', n, e }, 'sha256') },
    ]);
  });

  it('takes the name that backend-api gives, and keeps the order', async () => {
    publish({ kid: '2026-11', pem: strong }, { kid: '2026-10', pem: another });
    expect((await keys()).map(({ kid }) => kid)).toEqual(['2026-11', '2026-10']);
  });

  it('skips keys that are weak, broken or of another kind, and shows no private member', async () => {
    const { publicKey: elliptic } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    publish(
      { kid: 'weak', pem: weak },
      { kid: 'broken', pem: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
      { kid: 'empty', pem: '' },
      { kid: 'elliptic', pem: elliptic.export({ type: 'spki', format: 'pem' }).toString() },
      { kid: 'private by mistake', pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
      { kid: 'good', pem: strong },
    );
    const found = await keys();
    expect(found.map(({ kid }) => kid)).toEqual(['private by mistake', 'good']);
    for (const key of found) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('answers HEAD like GET, without a body', async () => {
    const reply = await fetch(`${gateway.url}${JWKS}`, { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([200, '']);
    expect(reply.headers.get('etag')).toBe((await get()).headers.get('etag'));
  });
});

describe('GET /health/ready', () => {
  const READY = '/health/ready';
  const Stores = { 'job-store': 'OK', queue: 'OK', 'object-store': 'OK' };
  const gateway = gatewayForAllTests();

  it('asks all three at the same time and waits 0.8 s for each', async () => {
    const usual = closeAfterTest(await startTestGateway({ BACKEND_TIMEOUT_SECONDS: '3600' }, { waitsAsUsual: true }));
    const held = usual.sandbox.faults.hold({ operation: 'getHealth' });
    const startedAt = performance.now();
    const asking = usual.rest('GET', READY);
    // All three are asked before any of them has answered.
    await held.held(3);
    const { status, body } = await asking;
    const took = performance.now() - startedAt;
    expect([status, body]).toEqual([
      200,
      { Status: 'NG', Items: { 'geo-api': 'NG', 'backend-api': 'NG', 'voip-api': 'NG' }, Stores, Gateway: 'OK' },
    ]);
    expect(took).toBeGreaterThan(780);
    held.release();
  });

  it.each([
    ['500', { kind: 'status', status: 500 }],
    ['404', { kind: 'status', status: 404 }],
    ['nothing', { kind: 'down' }],
  ] as const)('is NG for a dependency that answers %s, and 503 only with strict=true', async (_what, fault) => {
    gateway.sandbox.faults.set({ backend: 'geo-api', operation: 'getHealth', fault });
    for (const [query, status] of [
      ['', 200],
      ['?strict=true', 503],
      ['?strict=false', 200],
      ['?strict', 200],
    ] as const) {
      const reply = await gateway.rest('GET', `${READY}${query}`);
      expect([reply.status, reply.body]).toEqual([
        status,
        { Status: 'NG', Items: { 'geo-api': 'NG', 'backend-api': 'OK', 'voip-api': 'OK' }, Stores, Gateway: 'OK' },
      ]);
    }
  });

  it('is 200 with strict=true when all are well, and never kept by a cache', async () => {
    const { status, headers } = await gateway.rest('GET', `${READY}?strict=true`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each(['STARTING', 'DRAINING'] as const)(
    'names what is not OK when all else is: the gateway is %s',
    async (phase) => {
      const app = failingApp(captureLog().logger, new Error('unused'), { phase: () => phase });
      const { url } = closeAfterTest(await serveOnLoopback(createHttpApp(app)));
      const reply = await fetch(`${url}/base${READY}`);
      const Items = { 'geo-api': 'OK', 'backend-api': 'OK', 'voip-api': 'OK' };
      expect([reply.status, await reply.json()]).toEqual([503, { Status: 'NG', Items, Stores, Gateway: phase }]);
    },
  );

  it('is NG for the stores of a directory whose files are gone, and says why in the log', async () => {
    const { path: dataDir } = closeAfterTest(await temporaryDirectory());
    const own = closeAfterTest(await startTestGateway({ DATA_DIR: dataDir }));
    // A file is no directory for anybody, root included.
    await rm(join(dataDir, 'objects'), { recursive: true, force: true });
    await writeFile(join(dataDir, 'objects'), '');
    await rename(join(dataDir, 'jobs.db'), join(dataDir, 'moved.db'));
    const reply = await own.rest('GET', `${READY}?strict=true`);
    expect(reply.status).toBe(503);
    const Items = { 'geo-api': 'OK', 'backend-api': 'OK', 'voip-api': 'OK' };
    expect(reply.body).toMatchObject({
      Status: 'NG',
      Items,
      Stores: { 'job-store': 'NG', queue: 'NG', 'object-store': 'NG' },
    });
    expect(own.logged()).toMatch(/"dependency":"object-store","reason":"[^"]*DATA_DIR/);
    expect(own.logged()).toMatch(/"dependency":"job-store","reason":"[^"]*jobs\.db/);
    await rm(join(dataDir, 'objects'));
    // The database that is open is another file than the one of that name, until the gateway is started anew.
    await rename(join(dataDir, 'moved.db'), join(dataDir, 'jobs.db'));
    const after = await own.rest('GET', `${READY}?strict=true`);
    expect(after.body).toMatchObject({ Status: 'NG', Stores: { 'job-store': 'NG', 'object-store': 'OK' } });
  });

  it('needs no credentials and sends none', async () => {
    gateway.sandbox.journal.clear();
    await gateway.rest('GET', READY, { headers: { authorization: 'Bearer x', 'x-api-key': 'y' } });
    const seen = gateway.sandbox.journal.requests();
    expect(seen.map(({ backend }) => backend).sort()).toEqual(['backend-api', 'geo-api', 'voip-api']);
    for (const { authorization, apiKey } of seen) expect([authorization, apiKey]).toEqual([false, 'absent']);
  });
});
