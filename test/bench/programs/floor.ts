import { createPublicKey, randomUUID, verify, type KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { fetchPublicKeys } from './peer-backends.js';
import { serve, setting } from './serve.js';

/**
 * The least that can answer: `node:http`, the key fetched for each request, no GraphQL at all. `REMEMBER=1` verifies
 * each token once a key and looks at its time alone after that. `ACCESS_LOG=1` writes a line with an id for each request.
 */
interface Claims {
  readonly iss: string;
  readonly exp: number;
  readonly preferred_username: string;
  readonly 'org:id': string;
  readonly region: string;
  readonly is_admin: boolean;
  readonly loggedin_id: string;
  readonly chat_id: string;
}

const remembered = process.env['REMEMBER'] === '1' ? new Map<string, { pem: string; claims: Claims }>() : undefined;
const issuers = setting('TOKEN_ISSUSERS').split(',');
const version = setting('VERSION');
let key: { readonly pem: string; readonly object: KeyObject } | undefined;

const accessLog = process.env['ACCESS_LOG'] === '1';

serve((request, response) => {
  let body = '';
  if (accessLog) {
    const startedAt = performance.now();
    response.on('close', () => {
      const { method, url: path } = request;
      const durationMs = Math.round(performance.now() - startedAt);
      const entry = {
        time: Date.now(),
        requestId: randomUUID(),
        method,
        path,
        status: response.statusCode,
        durationMs,
      };
      process.stdout.write(`${JSON.stringify(entry)}\n`);
    });
  }
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    // The load sends GraphQL requests and nothing else.
    const { query } = JSON.parse(body) as { query: string };
    if (query.includes('serviceVersion')) return reply(response, { serviceVersion: version });
    authenticate(request.headers.authorization ?? '').then(
      (me) => reply(response, { me }),
      () => response.writeHead(500).end(),
    );
  });
});

async function authenticate(authorization: string): Promise<object> {
  const token = authorization.slice('Bearer '.length);
  const [{ pem } = { pem: '' }] = await fetchPublicKeys();
  const known = remembered?.get(token);
  const claims = known?.pem === pem ? known.claims : verified(token, pem);
  remembered?.set(token, { pem, claims });
  if (claims.exp * 1_000 < Date.now() || !issuers.includes(claims.iss)) throw new Error('The token is not valid.');
  return {
    BackendUser: claims.preferred_username,
    Org: claims['org:id'],
    Issuser: claims.iss,
    Region: claims.region,
    IsAdmin: claims.is_admin,
    LoggedInId: claims.loggedin_id,
    ChatId: claims.chat_id,
  };
}

function verified(token: string, pem: string): Claims {
  if (key?.pem !== pem) key = { pem, object: createPublicKey(pem) };
  const end = token.lastIndexOf('.');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(token.slice(0, end)),
    key.object,
    Buffer.from(token.slice(end + 1), 'base64url'),
  );
  if (!isSigned) throw new Error('The signature is not valid.');
  // Signed by the runner, which puts these in.
  return JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString()) as Claims;
}

function reply(response: ServerResponse, data: object): void {
  const body = JSON.stringify({ data });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
