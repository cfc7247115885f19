import { byCode, describeError, hasCode } from './errors.js';

/** Server in faults of its connection, and what leads to it. */
export interface ServerWords {
  /** Its name at the start of a sentence, such as `The S3 server`. */
  readonly name: string;
  /** Remedy if the server does not answer. */
  readonly reach: string;
  /** Remedy if the name of its host is unknown; `reach` by default. */
  readonly host?: string;
  /** Remedy if one side alone speaks TLS. */
  readonly tls: string;
}

interface ConnectionFault {
  /** Continues the name of the server. */
  readonly fault: string;
  /** Remedy by itself, or the name of one of the server's. */
  readonly remedy: 'reach' | 'host' | 'tls' | { readonly text: string };
  /** True if no byte of a request was sent. */
  readonly isUnsent?: true;
}

const AWAY = { fault: 'cannot be reached', remedy: 'reach' } as const;
const NEVER_REACHED = { ...AWAY, isUnsent: true } as const;
const NO_TLS = { fault: 'does not speak TLS there', remedy: 'tls', isUnsent: true } as const;

const certificate = (text: string): ConnectionFault => ({ fault: 'is not trusted', remedy: { text }, isUnsent: true });
const UNTRUSTED = certificate(
  'Trust the certificate authority of the server (NODE_EXTRA_CA_CERTS), and use the name it is made out to.',
);

/** Faults of connections and certificates, by the code of the operating system or of Node.js. */
const FAULTS = {
  ECONNREFUSED: NEVER_REACHED,
  EHOSTUNREACH: NEVER_REACHED,
  ENETUNREACH: NEVER_REACHED,
  ECONNRESET: AWAY,
  ETIMEDOUT: AWAY,
  ENOTFOUND: { fault: 'has a host name that does not exist', remedy: 'host', isUnsent: true },
  EAI_AGAIN: { fault: 'has a host name for which the name server does not answer', remedy: 'host', isUnsent: true },
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: certificate('Its certificate has expired. Renew it.'),
} as const satisfies Readonly<Record<string, ConnectionFault>>;

const UNSENT = Object.entries<ConnectionFault>(FAULTS).flatMap(([code, { isUnsent }]) => (isUnsent ? [code] : []));

/** Returns fault and remedy in one line, details in parentheses; undefined for an error of another kind. */
export function describeConnectionFault(error: unknown, server: ServerWords): string | undefined {
  const found = byCode<ConnectionFault>(error, FAULTS);
  if (found === undefined) return undefined;
  const { fault, remedy } = found;
  const advice = typeof remedy === 'object' ? remedy.text : (server[remedy] ?? server.reach);
  return `${server.name} ${fault} (${describeError(error)}). ${advice}`;
}

/** Returns the remedy for a certificate that is not accepted; undefined for an error of another kind. */
export function certificateRemedy(error: unknown): string | undefined {
  const remedy = byCode<ConnectionFault>(error, FAULTS)?.remedy;
  return typeof remedy === 'object' ? remedy.text : undefined;
}

/** Returns true for a connection that failed before anything was sent. */
export function isUnsent(error: unknown): boolean {
  return hasCode(error, ...UNSENT);
}
