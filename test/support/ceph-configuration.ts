/** The settings in which one private Ceph differs from another. */
export interface CephSettings {
  readonly directory: string;
  readonly clusterId: string;
  readonly monitorPort: number;
  readonly monitorPortV1: number;
  readonly port: number;
}

/**
 * Configuration of the smallest Ceph that serves S3: one monitor, one object storage daemon in memory, one
 * gateway, all on the loopback address and in one directory.
 */
export function cephConfiguration(settings: CephSettings): string {
  const { directory, clusterId, monitorPort, monitorPortV1, port } = settings;
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
