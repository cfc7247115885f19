/*
 * What Redis or the way to it can answer instead of serving, and what to change then. Replies start with a
 * code in capitals (Redis documentation, "RESP errors"); errors of the connection carry a system code.
 */

const CREDENTIALS =
  'Put the right user and password into REDIS_URL: redis://user:password@host:6379, or the password into REDIS_PASSWORD_FILE.';
const PRIMARY = 'Point REDIS_URL to the primary, or to its sentinels.';
/** For a server that does not answer. */
export const REACHABLE = 'Check the host and port in REDIS_URL, and that the server runs and can be reached.';
const SLOTS_ON_THEIR_WAY = 'The Redis Cluster is moving slots. It recovers by itself.';
/** For sentinels that do not. */
export const SENTINELS_REACHABLE =
  'Check the hosts and ports of the sentinels in REDIS_URL, and that they can be reached.';
const TLS =
  'Use rediss: in REDIS_URL exactly when the server speaks TLS, and trust its ' +
  'certificate authority (NODE_EXTRA_CA_CERTS).';

/** Codes of replies that mean "not now" or "not like this", and never "this command is wrong". */
export const REPLIES: Readonly<Record<string, string>> = {
  NOAUTH: `Redis requires a password. ${CREDENTIALS}`,
  WRONGPASS: `Redis refuses the user or the password. ${CREDENTIALS}`,
  NOPERM:
    'The Redis user may not run a command the gateway needs. ' +
    'Grant it in the ACL: +@all -@admin on keys job:*, jobs:*, attempts:*, callbacks:* and {gateway}*.',
  READONLY: `Redis is read-only: this server is a replica. ${PRIMARY}`,
  UNBLOCKED: `Redis has become a replica. ${PRIMARY}`,
  OOM: 'Redis is full. Raise its maxmemory, and keep maxmemory-policy at noeviction.',
  MISCONF: 'Redis refuses writes because it cannot save to disk. Free or repair the disk of the server.',
  NOREPLICAS: 'Redis refuses writes because it lacks replicas. Repair them or lower min-replicas-to-write.',
  LOADING: 'Redis is still loading its data. It recovers by itself.',
  BUSY: 'Redis is busy with a script of somebody else. Find it, or give the gateway a server of its own.',
  MASTERDOWN: `Redis is a replica that has lost its primary. ${PRIMARY}`,
  CLUSTERDOWN: 'The Redis Cluster does not serve all slots. Repair the Cluster.',
  TRYAGAIN: SLOTS_ON_THEIR_WAY,
  ASK: SLOTS_ON_THEIR_WAY,
  MOVED: 'This Redis holds only some slots of a Cluster. Name several of its nodes in REDIS_URL, separated by commas.',
};

/** Replies without a code of their own that say no more about a command than those with one. */
export const UNCODED_REPLIES: readonly (readonly [part: string, advice: string])[] = [
  ['max number of clients', 'Redis has no connection left. Raise its maxclients.'],
  ['access a non local key', SLOTS_ON_THEIR_WAY],
  [
    'cluster support disabled',
    'REDIS_URL names several servers, which would be a Cluster, and this Redis is none. ' +
      'Name one server, or sentinels: redis+sentinel://host:port,host:port/name.',
  ],
];

/** What sentinels can answer, instead of the address of the primary, by what is in the text of the client. */
export const SENTINEL_REPLIES: readonly (readonly [part: RegExp, advice: string])[] = [
  [
    /No such master/,
    'The sentinels know no primary of the name in REDIS_URL. Put theirs behind the hosts: redis+sentinel://host:port/name.',
  ],
  [
    /NOAUTH/,
    'The sentinels require a password. If it is that of Redis, put ?sentinelAuth=true at the end of REDIS_URL.',
  ],
  [/WRONGPASS/, `The sentinels refuse the user or the password. ${CREDENTIALS}`],
];

/** Codes of the system, and of TLS. */
export const SYSTEM_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: REACHABLE,
  ECONNRESET: REACHABLE,
  EHOSTUNREACH: REACHABLE,
  ENETUNREACH: REACHABLE,
  ENOENT: REACHABLE,
  ENOTFOUND: 'Check the host name in REDIS_URL.',
  EAI_AGAIN: 'The name server does not answer; check the host name in REDIS_URL.',
  ETIMEDOUT: REACHABLE,
  EPROTO: TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: TLS,
  SELF_SIGNED_CERT_IN_CHAIN: TLS,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TLS,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TLS,
  CERT_HAS_EXPIRED: 'The certificate of Redis has expired. Renew it.',
};

/** For a Cluster that no node says more about. */
export const CLUSTER_NOT_SERVING = `No node of the Redis Cluster serves. ${REACHABLE} A Cluster must serve all slots.`;
