import { generateKeyPair, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { ROOT } from '../../support/built-programs.js';

/** Keys of a run, and a token that all servers accept. */
export type Credentials = Awaited<ReturnType<typeof createCredentials>>;

const KEY_ID = 'bench-key';
const ISSUER = 'https://issuer.example';

export async function createCredentials() {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const claims = {
    preferred_username: 'operator-7',
    'org:id': 'acme',
    region: 'jp-east',
    is_admin: true,
    loggedin_id: 'login-42',
    chat_id: 'chat-42',
  };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })
    .setIssuer(ISSUER)
    .setIssuedAt()
    .setExpirationTime('1 day')
    .sign(privateKey);
  const callbackKey = randomBytes(24).toString('base64url');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: KEY_ID,
    authorization: `Bearer ${token}`,
    callbackKey,
    /** Environment of the servers for it, and the version that they all report. */
    environment: {
      VERSION: await readVersion(),
      TOKEN_ISSUSERS: `${ISSUER},https://other-issuer.example`,
      BACKEND_API_KEY: randomBytes(24).toString('base64url'),
      TASK_CALLBACK_API_KEY: callbackKey,
      JOB_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
    },
  };
}

async function readVersion(): Promise<string> {
  // The manifest of this project has one.
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}
