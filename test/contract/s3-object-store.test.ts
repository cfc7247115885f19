import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from '../../src/base/logging/logger.js';
import { S3ObjectStore } from '../../src/objects/s3/s3-object-store.js';
import { captureLog } from '../support/captured-log.js';
import { startRadosgw } from '../support/radosgw.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { objectStoreContract, type Download, type ObjectStoreUnderTest } from './object-store-contract.js';

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'The object store on S3', () => {
  const server = forAllTests(startRadosgw);
  let buckets = 0;

  async function open(logger: Logger = createLogger({ level: 'silent' })): Promise<ObjectStoreUnderTest> {
    buckets += 1;
    const Bucket = `reports-${buckets}`;
    await server.createBucket(Bucket);
    const behind = server.client();
    const store = new S3ObjectStore(server.storeOptions(Bucket, logger));
    return {
      store,
      download,
      async contents() {
        const { Contents = [] } = await behind.send(new ListObjectsV2Command({ Bucket }));
        const { Uploads = [] } = await behind.send(new ListMultipartUploadsCommand({ Bucket }));
        return [...Contents, ...Uploads].map(({ Key = '' }) => Key);
      },
      // Links expire by the clock of the server.
      passTime: (ms) => delay(ms),
      close: async () => {
        await store.close();
        behind.destroy();
      },
    };
  }

  objectStoreContract(() => open());

  it('shows that a gateway used it once readiness has read the bucket back', async () => {
    await server.createBucket('used-before');
    const store = new S3ObjectStore(server.storeOptions('used-before', createLogger({ level: 'silent' })));
    closeAfterTest(store);
    expect(await store.wasUsed()).toBe(false);
    await store.probe.write();
    await waitFor('the object that is read back', () => store.wasUsed());
  });

  it('makes links that work although its clock is 9 h late, and warns once', async () => {
    const log = captureLog();
    const subject = await open(log.logger);
    const { store } = subject;
    const now = Date.now.bind(Date);
    const late = jest.spyOn(Date, 'now').mockImplementation(() => now() - 9 * 3_600_000);
    try {
      await store.put('late.pdf', Readable.from([Buffer.from('%PDF-1.7')]));
      const options = { expiresInMs: 60_000, downloadName: 'late.pdf' };
      await store.downloadUrl('late.pdf', options);
      expect((await fetch(await store.downloadUrl('late.pdf', options))).status).toBe(200);
    } finally {
      late.mockRestore();
      await subject.close();
    }
    expect(log.complaints()).toEqual(['objects.clock_wrong']);
  });

  it('names the file in US-ASCII for old programs and in UTF-8 for all others', async () => {
    const subject = await open();
    const { store } = subject;
    await store.put('a.pdf', Readable.from([Buffer.from('%PDF-1.7')]));
    const url = await store.downloadUrl('a.pdf', { expiresInMs: 60_000, downloadName: '運転日報 "1" 50%.pdf' });
    expect(new URL(url).origin).toBe(server.endpoint);
    expect((await fetch(url)).headers.get('content-disposition')).toBe(
      'attachment; filename="____ _1_ 50_.pdf"; ' +
        "filename*=UTF-8''%E9%81%8B%E8%BB%A2%E6%97%A5%E5%A0%B1%20%221%22%2050%25.pdf",
    );
    await subject.close();
  });
});

async function download(link: string): Promise<Download | undefined> {
  const reply = await fetch(link);
  const body = Buffer.from(await reply.arrayBuffer());
  if (reply.status !== 200) return undefined;
  const disposition = reply.headers.get('content-disposition') ?? '';
  expect(disposition).toMatch(/^attachment;/);
  return {
    contentType: reply.headers.get('content-type') ?? '',
    downloadName: decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition)?.[1] ?? ''),
    body,
  };
}
