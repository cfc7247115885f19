import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import { createS3ObjectStore, type S3ObjectStore } from '../../src/stores/s3-object-store.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'The object store on S3', () => {
  let server: Radosgw;
  let store: S3ObjectStore;

  beforeAll(async () => {
    server = await startRadosgw();
    await server.createBucket('reports');
    store = createS3ObjectStore({
      bucket: 'reports', endpoint: server.endpoint, region: server.region, forcePathStyle: true,
      credentials: { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey },
      logger: createLogger({ level: 'silent', pretty: false }),
    });
  });

  afterAll(async () => {
    store.close();
    await server.stop();
  });

  it('hands an object out under an absolute link, as an attachment with its content type and name', async () => {
    const key = 'driving-reports/org/株式会社%2E/2026-01-31/job%3A1.pdf';
    await store.put(key, one('%PDF-1.7'), { contentType: 'application/pdf' });
    const url = await store.downloadUrl(key, { expiresInMs: 60_000, downloadName: '運転日報 "1" 50%.pdf' });
    expect(new URL(url).origin).toBe(server.endpoint);

    const reply = await fetch(url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toBe(
      'attachment; filename="____ _1_ 50_.pdf"; ' +
      "filename*=UTF-8''%E9%81%8B%E8%BB%A2%E6%97%A5%E5%A0%B1%20%221%22%2050%25.pdf",
    );
    expect(await reply.text()).toBe('%PDF-1.7');
  });

  it('refuses a link that was changed, and one that has expired', async () => {
    await store.put('mine', one('mine'), { contentType: 'application/pdf' });
    await store.put('yours', one('yours'), { contentType: 'application/pdf' });
    const url = await store.downloadUrl('mine', { expiresInMs: 1_000, downloadName: 'a.pdf' });
    expect((await fetch(url.replace('/mine?', '/yours?'))).status).toBe(403);
    expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
    await waitFor('the link to expire', async () => (await fetch(url)).status === 403);
  });

  it('replaces an object that is there', async () => {
    await store.put('again', one('first'), { contentType: 'application/pdf' });
    expect(await store.put('again', one('second, and longer'), { contentType: 'application/pdf' })).toEqual({ size: 18 });
    const reply = await fetch(await store.downloadUrl('again', { expiresInMs: 60_000, downloadName: 'a.pdf' }));
    expect(await reply.text()).toBe('second, and longer');
  });

  it.each(['', '/absolute', 'a//b', 'a/../b', 'a/.', 'a\\b', 'a\nb', 'x'.repeat(1_025)])('refuses the key %j', async (key) => {
    await expect(store.put(key, one('x'), { contentType: 'application/pdf' })).rejects.toThrow(TypeError);
    await expect(store.downloadUrl(key, { expiresInMs: 1_000, downloadName: 'a.pdf' })).rejects.toThrow(TypeError);
  });
});

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
