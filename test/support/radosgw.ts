import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, DeleteBucketPolicyCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import type { Logger } from '../../src/base/logging/logger.js';
import { accepts, freePorts, startProgram, type ChildProgram } from './child-program.js';
import { waitFor } from './wait-for.js';

const run = promisify(execFile);

const ATTEMPTS = 3;

/** Starts a private radosgw (Debian packages `radosgw`, `ceph-mon`, `ceph-osd`); takes a few seconds. @param buckets to create */
export async function startRadosgw(...buckets: readonly string[]): Promise<Radosgw> {
  for (let attempt = 1; ; attempt += 1) {
    const directory = await mkdtemp(path.join(tmpdir(), 'gateway-rgw-'));
    const [monitorPort = 0, monitorPortV1 = 0, port = 0] = await freePorts(3);
    const server = new Radosgw(directory, { monitorPort, monitorPortV1, port });
    try {
      await server.start();
      for (const bucket of buckets) await server.createBucket(bucket);
      return server;
    } catch (error) {
      await server.stop();
      // Another process may have taken a port in between.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

interface Ports {
  readonly monitorPort: number;
  readonly monitorPortV1: number;
  readonly port: number;
}

/** A private S3 server: Ceph's radosgw on a store in memory. */
export class Radosgw {
  readonly region = 'us-east-1';
  readonly accessKeyId = `AK${randomBytes(8).toString('hex')}`;
  readonly secretAccessKey = randomBytes(20).toString('hex');
  readonly endpoint: string;
  readonly #store: ChildProgram[] = [];
  #gateway: ChildProgram | undefined;
  readonly #directory: string;
  readonly #ports: Ports;

  constructor(directory: string, ports: Ports) {
    this.#directory = directory;
    this.#ports = ports;
    this.endpoint = `http://127.0.0.1:${ports.port}`;
  }

  async start(): Promise<void> {
    const [directory, ports] = [this.#directory, this.#ports];
    const clusterId = randomUUID();
    await Promise.all(['mon', 'osd', 'rgw', 'run', 'log'].map((name) => mkdir(path.join(directory, name))));
    await writeFile(this.#file('ceph.conf'), cephConfiguration(directory, clusterId, ports));
    await this.#createKeyring();
    await this.#startMonitor(clusterId);
    await this.#startObjectStorage();
    await this.restart();
    const key = [`--access-key=${this.accessKeyId}`, `--secret-key=${this.secretAccessKey}`];
    await this.#administer('user', 'create', '--display-name=test', ...key);
  }

  /** The credentials as the AWS SDK looks for them: in the environment of its process. */
  get variables() {
    return { AWS_ACCESS_KEY_ID: this.accessKeyId, AWS_SECRET_ACCESS_KEY: this.secretAccessKey };
  }

  /** Options of a store in a bucket of this server. */
  storeOptions(bucket: string, logger: Logger) {
    const { endpoint, region, accessKeyId, secretAccessKey } = this;
    const credentials = { accessKeyId, secretAccessKey };
    return { bucket, retentionDays: 8, endpoint, region, forcePathStyle: true, credentials, logger };
  }

  /** Variables by which a gateway reaches a bucket of this server; the credentials apart. */
  environment(bucket: string) {
    return { S3_BUCKET: bucket, S3_ENDPOINT: this.endpoint, S3_REGION: this.region, S3_FORCE_PATH_STYLE: 'true' };
  }

  /** A client with the right credentials, for a look behind the adapter. The caller destroys it. */
  client(): S3Client {
    return new S3Client({
      endpoint: this.endpoint,
      region: this.region,
      forcePathStyle: true,
      credentials: { accessKeyId: this.accessKeyId, secretAccessKey: this.secretAccessKey },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async createBucket(name: string): Promise<void> {
    await this.#behind((client) => client.send(new CreateBucketCommand({ Bucket: name })));
  }

  /** Gives its user another key, besides those it has. */
  async addKey(accessKeyId: string, secretAccessKey: string): Promise<void> {
    await this.#administer('key', 'create', `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`);
  }

  async removeKey(accessKeyId: string): Promise<void> {
    await this.#administer('key', 'rm', `--access-key=${accessKeyId}`);
  }

  /** Takes one right to the objects of a bucket from everybody, and leaves the others. */
  async deny(Action: `s3:${'Put' | 'Get' | 'Delete'}Object`, bucket: string): Promise<void> {
    const Resource = `arn:aws:s3:::${bucket}/*`;
    const statement = { Effect: 'Deny', Principal: '*', Action, Resource };
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await this.#behind((client) => client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy })));
  }

  async allow(bucket: string): Promise<void> {
    await this.#behind((client) => client.send(new DeleteBucketPolicyCommand({ Bucket: bucket })));
  }

  /** Freezes the server: connections stay open and nothing answers. */
  pause(): void {
    this.#gateway?.signal('SIGSTOP');
  }

  resume(): void {
    this.#gateway?.signal('SIGCONT');
  }

  /** Kills the S3 server; its store stays. */
  async kill(): Promise<void> {
    await this.#gateway?.kill();
  }

  /** Starts the S3 server again after a kill. */
  async restart(): Promise<void> {
    await this.kill();
    this.#gateway = await this.#daemon('radosgw', ['-n', 'client.rgw.a', '-f']);
    await this.#waitForPort(this.#gateway, this.#ports.port);
  }

  /** Undoes pauses and kills that a failed test may have left. */
  async recover(): Promise<void> {
    this.resume();
    if (this.#gateway?.isRunning() !== true) await this.restart();
  }

  async stop(): Promise<void> {
    // Nothing in this store is kept, so it need not end in order.
    for (const program of [this.#gateway, ...this.#store.toReversed()]) await program?.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #behind(ask: (client: S3Client) => Promise<unknown>): Promise<void> {
    const client = this.client();
    await ask(client).finally(() => client.destroy());
  }

  async #createKeyring(): Promise<void> {
    const users: readonly (readonly [string, readonly string[]])[] = [
      ['mon.', ['mon', 'allow *']],
      ['osd.0', ['mon', 'allow profile osd', 'osd', 'allow *']],
      ['client.rgw.a', ['mon', 'allow rw', 'osd', 'allow rwx']],
      ['client.admin', ['mon', 'allow *', 'osd', 'allow *']],
    ];
    for (const [index, [name, rights]] of users.entries()) {
      const caps = rights.flatMap((right, at) => (at % 2 === 0 ? ['--cap', right] : [right]));
      const create = index === 0 ? ['-C'] : [];
      await this.#tool('ceph-authtool', [...create, '-n', name, '--gen-key', ...caps, this.#file('keyring')]);
    }
  }

  async #administer(...args: readonly string[]): Promise<void> {
    await this.#tool('radosgw-admin', ['-n', 'client.rgw.a', ...args, '--uid=test']);
  }

  async #startMonitor(clusterId: string): Promise<void> {
    const { monitorPort, monitorPortV1 } = this.#ports;
    const addresses = `[v2:127.0.0.1:${monitorPort},v1:127.0.0.1:${monitorPortV1}]`;
    const map = this.#file('monmap');
    await this.#tool('monmaptool', ['--create', '--fsid', clusterId, '--addv', 'a', addresses, map]);
    await this.#tool('ceph-mon', ['-i', 'a', '--mkfs', '--monmap', map, '--keyring', this.#file('keyring')]);
    const monitor = await this.#daemon('ceph-mon', ['-i', 'a', '-f']);
    this.#store.push(monitor);
    await this.#waitForPort(monitor, monitorPort);
  }

  async #startObjectStorage(): Promise<void> {
    const id = randomUUID();
    await this.#tool('ceph', ['osd', 'new', id]);
    await this.#tool('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', id]);
    this.#store.push(await this.#daemon('ceph-osd', ['-i', '0', '-f']));
  }

  async #waitForPort(program: ChildProgram, port: number): Promise<void> {
    await waitFor(`a listener on port ${port}`, async () => {
      if (!program.isRunning()) throw new Error(`The program ended: ${await program.output()}`);
      return accepts(port);
    });
  }

  async #tool(name: string, args: readonly string[]): Promise<void> {
    await run(name, args, { env: this.#environment(), timeout: 120_000 });
  }

  async #daemon(name: string, args: readonly string[]): Promise<ChildProgram> {
    return startProgram(name, { args, logFile: this.#file(`log/${name}.out`), env: this.#environment() });
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...process.env, CEPH_CONF: this.#file('ceph.conf') };
  }

  #file(name: string): string {
    return path.join(this.#directory, name);
  }
}

/**
 * Configuration of the smallest Ceph that serves S3: one monitor, one object storage daemon in memory, one
 * gateway, all on the loopback address and in one directory.
 */
function cephConfiguration(directory: string, clusterId: string, { monitorPort, monitorPortV1, port }: Ports): string {
  return ini({
    global: {
      fsid: clusterId,
      mon_initial_members: 'a',
      mon_host: `[v2:127.0.0.1:${monitorPort}/0,v1:127.0.0.1:${monitorPortV1}/0]`,
      public_addr: '127.0.0.1',
      cluster_addr: '127.0.0.1',
      ms_bind_ipv6: false,
      auth_allow_insecure_global_id_reclaim: false,
      keyring: `${directory}/keyring`,
      run_dir: `${directory}/run`,
      admin_socket: `${directory}/run/$name.asok`,
      pid_file: `${directory}/run/$name.pid`,
      crash_dir: `${directory}/run`,
      log_file: `${directory}/log/$name.log`,
      log_to_stderr: false,
      // A single monitor has no other to wait for.
      paxos_propose_interval: 0.01,
      paxos_min_wait: 0.005,
      mon_tick_interval: 1,
      // One copy of everything, on the one daemon there is.
      osd_pool_default_size: 1,
      osd_pool_default_min_size: 1,
      osd_pool_default_pg_num: 1,
      osd_pool_default_pgp_num: 1,
      osd_pool_default_pg_autoscale_mode: 'off',
      osd_crush_chooseleaf_type: 0,
      mon_allow_pool_size_one: true,
      mon_warn_on_pool_no_redundancy: false,
      mon_max_pg_per_osd: 1000,
    },
    'mon.a': { mon_data: `${directory}/mon`, mon_data_avail_crit: 1 },
    'osd.0': {
      osd_data: `${directory}/osd`,
      osd_objectstore: 'memstore',
      memstore_device_bytes: 2 * 1024 ** 3,
      // A killed gateway is forgotten after two seconds instead of half a minute.
      osd_client_watch_timeout: 2,
      osd_default_notify_timeout: 1,
      osd_op_num_shards: 1,
      osd_op_num_threads_per_shard: 2,
    },
    'client.rgw.a': {
      rgw_data: `${directory}/rgw`,
      rgw_frontends: `beast endpoint=127.0.0.1:${port}`,
      client_notify_timeout: 1,
      rgw_dns_name: '127.0.0.1',
      rgw_enable_usage_log: false,
      rgw_run_sync_thread: false,
      rgw_thread_pool_size: 32,
    },
  });
}

type Section = Readonly<Record<string, string | number | boolean>>;

function ini(sections: Readonly<Record<string, Section>>): string {
  const lines = Object.entries(sections).flatMap(([name, section]) => [
    `[${name}]`,
    ...Object.entries(section).map(([key, value]) => `${key} = ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}
