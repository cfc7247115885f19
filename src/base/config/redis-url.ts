export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** Sentinels that locate the primary. User and password are those of the primary. */
export type RedisBehindSentinels = ReturnType<typeof parseSentinels>;

/** Servers in `REDIS_URL`. */
export type RedisServers = ReturnType<typeof parseSingle | typeof parseCluster> | RedisBehindSentinels;

/** Error for an invalid URL. The message continues `REDIS_URL …` and quotes nothing, because a URL may hold secrets. */
export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

const FORMS =
  'must be a redis: or rediss: URL, several of them separated by commas for a Cluster, or ' +
  'redis+sentinel://host:port,host:port/name.';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;

/** Separates URLs. A comma separates only before a scheme, because passwords may contain commas. */
const SEPARATOR = /\s*,\s*(?=[a-z][a-z+]*:\/\/)/i;

const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<name>[^/?#]*))?(?:\/(?<database>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;

const LOGIN = /^([a-z+]+:\/\/)(?:([^@/]*)@)?(.*)$/s;

/** Parses the URL of one server, of a Cluster (several URLs), or of sentinels. @throws {RedisUrlError} if invalid */
export function parseRedisUrl(text: string): RedisServers {
  const urls = text.split(SEPARATOR);
  const throughSentinels = urls.filter((url) => /^[a-z]+\+sentinel:/.test(url)).length;
  if (urls.length > 1 && throughSentinels > 0) {
    throw new RedisUrlError(
      'mixes forms: a Cluster is several redis: URLs, and sentinels are one URL, redis+sentinel://host:port,host:port/name.',
    );
  }
  if (throughSentinels > 0) return parseSentinels(text);
  return urls.length > 1 ? parseCluster(urls) : parseSingle(text);
}

/** Adds a password to a text of {@link parseRedisUrl}. */
export function withRedisPassword(text: string, password: string): string {
  const withPassword = (url: string): string =>
    url.replace(LOGIN, (_, scheme: string, login: string | undefined, rest: string) => {
      const [user = ''] = (login ?? '').split(':');
      return `${scheme}${user}:${encodeURIComponent(password)}@${rest}`;
    });
  return text.split(SEPARATOR).map(withPassword).join(',');
}

/** Returns whether a text of {@link parseRedisUrl} has a password. */
export function hasRedisPassword(text: string): boolean {
  return text.split(SEPARATOR).some((url) => /:./s.test(LOGIN.exec(url)?.[2] ?? ''));
}

function parseNode(text: string): URL {
  const [, scheme, , rest = ''] = LOGIN.exec(text) ?? [];
  if (scheme !== 'redis://' && scheme !== 'rediss://') throw new RedisUrlError(FORMS);
  if (/^[^/?#]*,/.test(rest)) {
    throw new RedisUrlError('names several hosts in one URL; write a Cluster as redis://host:port,redis://host:port.');
  }
  if (!/^[^/?#]/.test(rest) || !URL.canParse(text)) throw new RedisUrlError(FORMS);
  return new URL(text);
}

function parseSingle(text: string) {
  const url = parseNode(text);
  if (url.search !== '' || url.hash !== '') throw new RedisUrlError('has an option; one server takes none.');
  return {
    kind: 'single' as const,
    ...addressOf(url, REDIS_PORT),
    database: databaseOf(url.pathname.slice(1), 'port'),
    username: decoded(url.username),
    password: decoded(url.password),
    tls: url.protocol === 'rediss:',
  };
}

function parseCluster(texts: readonly string[]) {
  const urls = texts.map(parseNode);
  if (new Set(urls.map(({ protocol }) => protocol)).size > 1) {
    throw new RedisUrlError('mixes redis: and rediss:; a Cluster speaks TLS on all of its nodes or on none.');
  }
  if (urls.some(({ pathname, search, hash }) => !/^\/?0?$/.test(pathname) || search !== '' || hash !== '')) {
    throw new RedisUrlError('has more than hosts and ports; a Cluster has no databases but 0, and no options.');
  }
  const logins = urls.filter(({ username, password }) => username !== '' || password !== '');
  if (new Set(logins.map(({ username, password }) => `${username}:${password}`)).size > 1) {
    throw new RedisUrlError('has different users or passwords; all nodes of a Cluster are asked with the same.');
  }
  const [{ username, password } = { username: '', password: '' }] = logins;
  return {
    kind: 'cluster' as const,
    /** Seed nodes; they report the others. */
    nodes: urls.map((url) => addressOf(url, REDIS_PORT)),
    username: decoded(username),
    password: decoded(password),
    tls: urls[0]?.protocol === 'rediss:',
  };
}

function parseSentinels(text: string) {
  const parts = SENTINELS.exec(text)?.groups;
  if (parts === undefined) throw new RedisUrlError(FORMS);
  const { scheme, login = '', hosts = '', name = '', database = '', query = '' } = parts;
  if (name === '') {
    throw new RedisUrlError('lacks the name by which the sentinels know the primary: redis+sentinel://host:port/name.');
  }
  if (!['', 'sentinelAuth=true', 'sentinelAuth=false'].includes(query)) {
    throw new RedisUrlError('has an option that is not known; there is sentinelAuth=true.');
  }
  const colon = login.indexOf(':');
  const sentinels = hosts.split(',').map((host) => addressOf(parseNode(`redis://${host}`), SENTINEL_PORT));
  return {
    kind: 'sentinel' as const,
    sentinels,
    /** Name of the primary in the sentinels. */
    name: decoded(name) ?? name,
    database: databaseOf(database, 'name'),
    /** True if the sentinels require the same user and password. */
    sentinelAuth: query === 'sentinelAuth=true',
    username: decoded(colon < 0 ? login : login.slice(0, colon)),
    password: decoded(colon < 0 ? '' : login.slice(colon + 1)),
    tls: scheme === 'rediss',
  };
}

/** Reads the number of a database. @param place part of the URL before it */
function databaseOf(text: string, place: string): number {
  if (!/^\d{0,9}$/.test(text)) throw new RedisUrlError(`must have a number as its database, behind the ${place}.`);
  return Number(text);
}

function addressOf({ hostname, port }: URL, defaultPort: number): RedisAddress {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

/** Decodes a part of a URL; undefined if empty. */
function decoded(text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    throw new RedisUrlError('has a % that encodes nothing; write it as %25.');
  }
}
