import type { Redis } from 'ioredis';
import { startRedis, type RedisServer, type RedisServerOptions } from './redis-server.js';
import { waitFor } from './wait-for.js';

/** How one of several servers is started that copy from one another. */
export interface ReplicatedRedisOptions extends Pick<RedisServerOptions, 'password' | 'tls'> {
  readonly port: number;
  /** Further settings, as on the command line. */
  readonly args?: readonly string[];
}

/** Starts one. It knows the password of the others, which is its own, and trusts their certificate. */
export function startReplicatedRedis({ port, password, tls, args = [] }: ReplicatedRedisOptions): Promise<RedisServer> {
  return startRedis({
    appendOnly: true,
    port,
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    args: [
      ...['--repl-diskless-sync-delay', '0'],
      ...(password === undefined ? [] : ['--masterauth', password]),
      ...(tls ? ['--tls-replication', 'yes', '--tls-ca-cert-file', tls.certFile] : []),
      ...args,
    ],
  });
}

/** Resolves when a replica has a connection to its primary. */
export async function followsItsPrimary(replica: Redis): Promise<void> {
  await waitFor('a replica to follow', async () =>
    (await replica.info('replication')).includes('master_link_status:up'),
  );
}

/** Kills a primary (`kill -9`) that has acknowledged nothing which its replica does not have. */
export async function killCaughtUp(
  primary: { readonly server: RedisServer; readonly client: Redis },
  replica: Redis,
): Promise<void> {
  // Writes wait from here on, and are never acknowledged.
  await primary.client.call('CLIENT', 'PAUSE', 60_000, 'WRITE');
  const offsetOf = async (client: Redis): Promise<string | undefined> =>
    /\r\nmaster_repl_offset:(\d+)/.exec(await client.info('replication'))?.[1];
  await waitFor('the replica to catch up', async () => (await offsetOf(primary.client)) === (await offsetOf(replica)));
  await primary.server.kill();
}
