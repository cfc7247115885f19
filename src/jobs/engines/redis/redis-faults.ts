import { describeConnectionFault, type ServerWords } from '../../../base/connection-faults.js';

/*
 * Faults of Redis or the connection, with their remedies. Replies start with a code in capitals (Redis documentation,
 * "RESP errors"); errors of the connection carry a system code.
 */

const CREDENTIALS =
  'Put the right user and password into REDIS_URL: redis://user:password@host:6379, or the password into REDIS_PASSWORD_FILE.';
const PRIMARY = 'Point REDIS_URL to the primary, or to its sentinels.';
const REACHABLE = 'Check the host and port in REDIS_URL, and that the server runs and can be reached.';
const SLOTS_ON_THEIR_WAY = 'The Redis Cluster is moving slots. It recovers by itself.';
const SENTINELS_REACHABLE = 'Check the hosts and ports of the sentinels in REDIS_URL, and that they can be reached.';
const NO_TLS = 'The server does not speak TLS there, and REDIS_URL asks for it. Use redis: instead of rediss:.';
const ONLY_TLS = 'The server speaks TLS there, and REDIS_URL does not ask for it. Use rediss: instead of redis:.';

/** Rights that the user of Redis needs, in the words of the page for operators. */
export const REDIS_ACL =
  '`+@all -@admin +config|get` on the keys `job:*`, `jobs:*`, `attempts:*`, `callbacks:*` and `{gateway}*`';

const NO_RIGHT = `The Redis user may not run a command the gateway needs. Grant it in the ACL: ${REDIS_ACL}.`;

/** Codes of replies by which Redis refuses to serve now, as opposed to refusing a wrong command. */
const REPLIES: Readonly<Record<string, string>> = {
  NOAUTH: `Redis requires a password. ${CREDENTIALS}`,
  WRONGPASS: `Redis refuses the user or the password. ${CREDENTIALS}`,
  NOPERM: NO_RIGHT,
  READONLY: `Redis is read-only: this server is a replica. ${PRIMARY}`,
  UNBLOCKED: `Redis has become a replica. ${PRIMARY}`,
  OOM: 'Redis is full. Raise its maxmemory, and keep maxmemory-policy at noeviction.',
  MISCONF: 'Redis refuses writes because it cannot save to disk. Free or repair the disk of the server.',
  NOREPLICAS: 'Redis refuses writes because it lacks replicas. Repair them or lower min-replicas-to-write.',
  LOADING: 'Redis is still loading its data. It recovers by itself.',
  BUSY: 'Redis is busy with a script of another program. Find the program, or give the gateway a separate Redis.',
  MASTERDOWN: `Redis is a replica that has lost its primary. ${PRIMARY}`,
  CLUSTERDOWN: 'The Redis Cluster does not serve all slots. Repair the Cluster.',
  TRYAGAIN: SLOTS_ON_THEIR_WAY,
  ASK: SLOTS_ON_THEIR_WAY,
  MOVED: 'This Redis holds only some slots of a Cluster. Name several of its nodes in REDIS_URL, separated by commas.',
};

/** Parts of replies without a code, with the same meaning. */
const UNCODED_REPLIES: Readonly<Record<string, string>> = {
  'max number of clients': 'Redis has no connection left. Raise its maxclients.',
  'access a non local key': SLOTS_ON_THEIR_WAY,
  // Redis 7.0, and newer ones, refuse a command within a script in these words.
  'user executing the script': NO_RIGHT,
  'ACL failure in script': NO_RIGHT,
  'DB index is out of range':
    'Redis has no database of the number in REDIS_URL. Put one there that it has, or raise its setting databases.',
  'cluster support disabled':
    'REDIS_URL names several servers, which would be a Cluster, and this Redis is not one. ' +
    'Name one server, or sentinels: redis+sentinel://host:port,host:port/name.',
};

/** Parts of what the client says when sentinels do not tell the address of the primary. */
const SENTINEL_REPLIES: Readonly<Record<string, string>> = {
  'No such master':
    'The sentinels know no primary of the name in REDIS_URL. Put theirs behind the hosts: redis+sentinel://host:port/name.',
  NOAUTH: 'The sentinels require a password. If it is that of Redis, put ?sentinelAuth=true at the end of REDIS_URL.',
  WRONGPASS: `The sentinels refuse the user or the password. ${CREDENTIALS}`,
};

const SERVER: ServerWords = {
  name: 'Redis',
  reach: REACHABLE,
  host: 'Check the host name in REDIS_URL.',
  tls: 'REDIS_URL asks for it. Use redis: instead of rediss:.',
};

/** Fault of a Cluster of which no node has reported a more precise one. */
export const CLUSTER_NOT_SERVING = `No node of the Redis Cluster serves. ${REACHABLE} A Cluster must serve all slots.`;

/**
 * Returns fault and remedy of Redis in one line, free of secrets. Do not log the error itself: ioredis attaches the
 * failed command, which may contain the password.
 */
export function describeRedisFault(error: unknown): string {
  const origin = originOf(error);
  if (origin !== error) return describeRedisFault(origin);
  const text = messageOf(error);
  if (isReply(error)) return adviceOnReply(text) ?? `Redis refused a command: ${text}`;
  if (error instanceof TlsOnOneSideError) return text;
  if (SENTINELS_FAILED.test(text)) {
    const advice = adviceIn(SENTINEL_REPLIES, text) ?? SENTINELS_REACHABLE;
    return `The primary cannot be found (${text}). ${advice}`;
  }
  const known = describeConnectionFault(error, SERVER);
  if (known !== undefined) return known;
  const fault = /timed out|timeout/i.test(text) ? 'does not answer in time' : 'cannot be reached';
  // ioredis has several texts for it, which would be logged as several faults.
  return `Redis ${fault} (${isDisconnected(error) ? 'the connection is closed' : text}). ${REACHABLE}`;
}

/** Returns true if Redis cannot serve now. A reply with an unlisted code is a fault of the gateway. */
export function isRedisUnavailable(error: unknown): boolean {
  const text = messageOf(error);
  if (isReply(error)) return adviceOnReply(text) !== undefined;
  const fromSystem = propertyOf(error, 'syscall') !== undefined || describeConnectionFault(error, SERVER) !== undefined;
  return fromSystem || CONNECTION_FAILURES.some((pattern) => pattern.test(text));
}

/** Returns true if Redis takes no writes, whatever else it serves. */
export function refusesWrites(error: unknown): boolean {
  const origin = originOf(error);
  const text = messageOf(origin);
  return isReply(origin) && (WRITES_REFUSED.test(text) || adviceOnReply(text) === NO_RIGHT);
}

export class TlsOnOneSideError extends Error {
  override readonly name = 'TlsOnOneSideError';

  /** @param isOurs true if the gateway does */
  constructor(isOurs: boolean) {
    super(isOurs ? NO_TLS : ONLY_TLS);
  }
}

/** Returns true if the server has no database with the configured number, which does not change by itself. */
export function isUnknownDatabase(error: unknown): boolean {
  return isReply(error) && /DB index is out of range|invalid DB index/i.test(messageOf(error));
}

/** Returns true for an error that only says that the connection is missing; an earlier error had the reason. */
export function isDisconnected(error: unknown): boolean {
  const text = messageOf(originOf(error));
  return DISCONNECTED.some((pattern) => pattern.test(text));
}

/** Creates the error that a Cluster returns for lost slots. */
export function slotsLost(): Error {
  return Object.assign(new Error('CLUSTERDOWN Hash slot not served'), { name: 'ReplyError' });
}

const WRITES_REFUSED = /^(READONLY|UNBLOCKED|OOM|MISCONF|NOREPLICAS)\b/;

const DISCONNECTED = [
  /^Stream isn't writeable/,
  /^Reached the max retries per request/,
  /^Connection is closed/,
  /^Command aborted due to connection close/,
  /^None of startup nodes is available/,
  /^Node is disconnected/,
  // ioredis reports this between two rounds of queries, even if no sentinel was reached at all.
  /^All sentinels are unreachable\. Retrying from scratch after \d+ms\.(?: Last error: Connection is closed\.)?$/,
];

const SENTINELS_FAILED = /^All sentinels are unreachable/;

const REDIRECTED = /^Too many Cluster redirections\. Last error: (?:ReplyError: )?/;

const CONNECTION_FAILURES = [
  ...DISCONNECTED,
  SENTINELS_FAILED,
  REDIRECTED,
  /^Failed to refresh slots cache/,
  /^Command timed out/,
  /^Socket timeout/,
  /^connect ETIMEDOUT/,
];

/** Extracts the last reply, or the last error of a node, from an error of the client of a Cluster. */
function originOf(error: unknown): unknown {
  const text = messageOf(error);
  // The nodes redirect the command in circles, because they do not agree yet.
  if (REDIRECTED.test(text))
    return { name: 'ReplyError', message: text.replace(REDIRECTED, '').replace(/^MOVED/, 'ASK') };
  const lastNodeError = propertyOf(error, 'lastNodeError');
  return lastNodeError instanceof Error ? lastNodeError : error;
}

function adviceOnReply(text: string): string | undefined {
  const [code = ''] = /^[A-Z]+/.exec(text) ?? [];
  return REPLIES[code] ?? adviceIn(UNCODED_REPLIES, text);
}

function adviceIn(advices: Readonly<Record<string, string>>, text: string): string | undefined {
  return Object.entries(advices).find(([part]) => text.includes(part))?.[1];
}

/** Returns true for an error that Redis itself replied: the command has not run. */
export function isReply(error: unknown): boolean {
  return propertyOf(error, 'name') === 'ReplyError';
}

function messageOf(error: unknown): string {
  return String(propertyOf(error, 'message') ?? error);
}

/** Returns a property of an error, whose class is not checked: errors of the system may come from another realm. */
function propertyOf(error: unknown, property: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined;
}
