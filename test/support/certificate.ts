import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const REQUEST = [
  'req',
  '-x509',
  ...['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
  ...['-addext', 'subjectAltName=IP:127.0.0.1'],
];

/** Makes one with `openssl`. */
export async function makeCertificate() {
  const directory = await mkdtemp(path.join(tmpdir(), 'gateway-tls-'));
  const certFile = path.join(directory, 'cert.pem');
  const keyFile = path.join(directory, 'key.pem');
  await promisify(execFile)('openssl', [...REQUEST, '-keyout', keyFile, '-out', certFile]);
  return { certFile, keyFile, remove: () => rm(directory, { recursive: true }) };
}
