import {
  REACHABLE,
  REPLIES,
  SENTINEL_REPLIES,
  SENTINELS_REACHABLE,
  SYSTEM_CODES,
  UNCODED_REPLIES,
} from './fault-advice.js';

/**
 * What is wrong with Redis and what to change, in one line, free of secrets. The error itself should not be
 * logged: ioredis hangs the failed command on it, and that may be the one that sends the password.
 */
export function describeRedisFault(error: unknown): string {
  const origin = originOf(error);
  if (origin !== error) return describeRedisFault(origin);
  const text = messageOf(error);
  if (isReply(error)) return adviceOnReply(text) ?? `Redis refused a command: ${text}`;
  if (SENTINELS_FAILED.test(text)) {
    const advice = SENTINEL_REPLIES.find(([part]) => part.test(text))?.[1] ?? SENTINELS_REACHABLE;
    return `The primary cannot be found (${text}). ${advice}`;
  }
  const code = systemCode(error);
  const advice = code === undefined ? undefined : SYSTEM_CODES[code];
  if (advice !== undefined) return `Redis cannot be reached (${text}). ${advice}`;
  if (/timed out|timeout/i.test(text)) return `Redis does not answer in time (${text}). ${REACHABLE}`;
  return `Redis cannot be reached (${text}). ${REACHABLE}`;
}

/**
 * Whether an error says that Redis cannot serve now, as opposed to a fault of ours: replies with a code that
 * is not in the table are ours.
 */
export function isRedisUnavailable(error: unknown): boolean {
  const text = messageOf(error);
  if (isReply(error)) return adviceOnReply(text) !== undefined;
  const code = systemCode(error);
  const fromSystem = textOf(error, 'syscall') !== undefined || (code !== undefined && code in SYSTEM_CODES);
  return fromSystem || CONNECTION_FAILURES.some((pattern) => pattern.test(text));
}

/** Whether an error says that Redis takes no writes, whatever else it serves. */
export function refusesWrites(error: unknown): boolean {
  const origin = originOf(error);
  return isReply(origin) && WRITES_REFUSED.has(replyCode(messageOf(origin)));
}

/** Errors that say only that there is no connection; the reason came with an earlier error. */
export function isDisconnected(error: unknown): boolean {
  const text = messageOf(originOf(error));
  return DISCONNECTED.some((pattern) => pattern.test(text));
}

/** What a Cluster that does not serve all slots would answer for those it does not serve. */
export function slotsLost(): Error {
  return Object.assign(new Error('CLUSTERDOWN Hash slot not served'), { name: 'ReplyError' });
}

const WRITES_REFUSED: ReadonlySet<string> = new Set([
  'READONLY',
  'UNBLOCKED',
  'OOM',
  'MISCONF',
  'NOREPLICAS',
  'NOPERM',
]);

const DISCONNECTED = [
  /^Stream isn't writeable/,
  /^Reached the max retries per request/,
  /^Connection is closed/,
  /^Command aborted due to connection close/,
  /^None of startup nodes is available/,
  /^Node is disconnected/,
  // Said between two rounds of the sentinels, whether or not any was asked.
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

/** What a client of a Cluster reports in words of its own: the last reply, or the last error of a node. */
function originOf(error: unknown): unknown {
  const text = messageOf(error);
  // Sent from one node to another without end: they do not agree yet.
  if (REDIRECTED.test(text))
    return { name: 'ReplyError', message: text.replace(REDIRECTED, '').replace(/^MOVED/, 'ASK') };
  const lastNodeError = propertyOf(error, 'lastNodeError');
  return lastNodeError instanceof Error ? lastNodeError : error;
}

function adviceOnReply(text: string): string | undefined {
  return REPLIES[replyCode(text)] ?? UNCODED_REPLIES.find(([part]) => text.includes(part))?.[1];
}

function isReply(error: unknown): boolean {
  return textOf(error, 'name') === 'ReplyError';
}

function replyCode(text: string): string {
  return /^[A-Z]+/.exec(text)?.[0] ?? '';
}

function systemCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

function messageOf(error: unknown): string {
  return textOf(error, 'message') ?? String(error);
}

/** By shape and not by class: errors of the system may come from another realm. */
function textOf(error: unknown, property: string): string | undefined {
  const value = propertyOf(error, property);
  return typeof value === 'string' ? value : undefined;
}

function propertyOf(error: unknown, property: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined;
}
