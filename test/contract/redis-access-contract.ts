import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { checkRedis } from '../../src/jobs/engines/redis/check.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { captureLog } from '../support/captured-log.js';
import { makeCertificate } from '../support/certificate.js';
import { LONG_TIMEOUT_MS } from '../support/redis-server.js';

/** For servers that never let us in. */
const SHORT_TIMEOUT_MS = 2_000;

/** Several servers that are found by one URL. */
export interface AccessedServers {
  readonly url: string;
  stop(): Promise<void>;
}

export async function faultsOf(url: string, { logger } = captureLog()): Promise<readonly string[]> {
  const redis = new RedisConnection({ url, logger, commandTimeoutMs: SHORT_TIMEOUT_MS });
  try {
    return await checkRedis(redis);
  } finally {
    await redis.close();
  }
}

/** Registers, within the `describe` of the caller, the test of a wrong password; the URL holds the right one. */
export function passwordContract(servers: () => Pick<AccessedServers, 'url'>): void {
  it('says that the password is wrong, and keeps it to itself', async () => {
    const log = captureLog();
    const faults = await faultsOf(servers().url.replaceAll(/:[^:]*@/g, ':wrong-secret@'), log);
    expect(faults).toEqual([expect.stringMatching(/refuses? the user or the password.*REDIS_URL/)]);
    expect(log.text()).toMatch(/refuses? the user or the password/);
    expect(`${faults.join()} ${log.text()}`).not.toContain('wrong-secret');
  });
}

/** Registers, within the `describe` of the caller, the test of servers that speak nothing but TLS. */
export function tlsContract(
  scheme: string,
  start: (options: {
    readonly tls: { readonly certFile: string; readonly keyFile: string };
    readonly password: string;
  }) => Promise<AccessedServers>,
): void {
  it(`serves ${scheme}: with a private certificate authority, and no stranger`, async () => {
    const certificate = await makeCertificate();
    const servers = await start({ tls: certificate, password: 'secret' });
    const tls = { ca: await readFile(certificate.certFile) };
    const redis = new RedisConnection({
      url: servers.url,
      logger: captureLog().logger,
      tls,
      commandTimeoutMs: LONG_TIMEOUT_MS,
    });
    try {
      expect(await checkRedis(redis)).toEqual([]);
      expect(await redis.openBlockingClient().set('{gateway}:blocking', 'served')).toBe('OK');
      expect(await faultsOf(servers.url)).toEqual([expect.stringContaining('certificate authority')]);
    } finally {
      await redis.close();
      await servers.stop();
      await certificate.remove();
    }
  });
}
