/** A password with what every notation escapes. */
export const PASSWORD = 'Pä"ss/w ö+rd?1~';

/** Ways in which a text may quote it. */
export const QUOTES: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'within a sentence': (secret) => `"${secret}" is too short`,
  'in JSON': (secret) => JSON.stringify(secret),
  'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify({ password: secret })),
  'in JSON of ASCII': (secret) =>
    JSON.stringify(secret).replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in JSON with slashes escaped': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
  'in a URL': (secret) => `/v1?password=${encodeURIComponent(secret)}&a=1`,
  'in a URL in lower case': (secret) => encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  'in a form': (secret) => new URLSearchParams({ password: secret }).toString(),
  'in a URL within a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in HTML': (secret) => secret.replaceAll('"', '&quot;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;'),
  'in base64': (secret) => `got ${Buffer.from(secret).toString('base64')}.`,
  'in base64 after one more byte': (secret) => Buffer.from(`:${secret}`).toString('base64'),
  'in base64 of credentials': (secret) => `Basic ${Buffer.from(`new:${secret}`).toString('base64')}`,
  'in base64url': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 of JSON': (secret) => Buffer.from(JSON.stringify({ a: 1, password: secret })).toString('base64'),
  'in hex': (secret) => `0x${Buffer.from(secret).toString('hex')}`,
  'in hex in capitals': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
};
