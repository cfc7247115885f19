/** Servers that need not know checksums get none, wherever their address is configured. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { IncomingHttpHeaders } from 'node:http';
import { expect, it, jest } from '@jest/globals';
import { createLogger } from '../../../src/base/logging/logger.js';
import { createS3Client } from '../../../src/objects/s3/s3-client.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest, temporaryDirectory } from '../../support/resources.js';

const SETTINGS = {
  bucket: 'reports',
  region: 'us-east-1',
  retentionDays: 1,
  forcePathStyle: true,
  logger: createLogger({ level: 'silent' }),
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
};

const WAYS = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'AWS_CONFIG_FILE', 'S3_ENDPOINT'];

it.each(WAYS)('a server in %s gets none', async (variable) => {
  let seen: IncomingHttpHeaders = {};
  const server = closeAfterTest(
    await serveOnLoopback((request, response) => {
      seen = request.headers;
      request.resume().on('end', () => response.end());
    }),
  );
  const isOwn = variable === 'S3_ENDPOINT';
  const config = join(closeAfterTest(await temporaryDirectory()).path, 'config');
  await writeFile(config, `[default]\nendpoint_url = ${server.url}\n`);
  const value = variable === 'AWS_CONFIG_FILE' ? config : server.url;
  const env = jest.replaceProperty(process, 'env', { ...process.env, ...(!isOwn && { [variable]: value }) });
  closeAfterTest({ close: () => env.restore() });
  const client = createS3Client({ ...SETTINGS, ...(isOwn && { endpoint: server.url }) });
  closeAfterTest(client, (opened) => opened.destroy());
  await client.send(new PutObjectCommand({ Bucket: 'reports', Key: 'a', Body: 'text' }));
  expect(Object.keys(seen).filter((name) => name.includes('checksum'))).toEqual([]);
  expect(seen['content-length']).toBe('4');
});
