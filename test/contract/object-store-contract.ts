import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';

import type { ObjectStore } from '../../src/objects/object-store.js';
import { forEachTest } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

export interface Download {
  readonly contentType: string;
  /** The name under which a browser saves it. */
  readonly downloadName: string;
  readonly body: Buffer;
}

/** An object store that holds nothing yet, of one test. */
export interface ObjectStoreUnderTest {
  readonly store: ObjectStore;
  /** Follows a link as a browser would; undefined when it is refused or leads to nothing. */
  download(link: string): Promise<Download | undefined>;
  /** Whatever the store holds, half-written objects included; one entry per file, object or upload. */
  contents(): Promise<readonly string[]>;
  /** Lets time pass for links: by the store's clock when that can be set, by waiting otherwise. */
  passTime(ms: number): Promise<void>;
  close(): Promise<void>;
}

const KEY = 'driving-reports/org/acme/2026-11-20/job-1.pdf';
const LINK = { expiresInMs: 300_000, downloadName: 'report.pdf' };
const MEBIBYTE = 1024 * 1024;

function chunks(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  return Readable.from(texts.map((text) => Buffer.from(text)));
}

/** Bytes of which no chunk is like another, the same for the same seed. */
async function* bytes(count: number, seed = 1): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0; left -= 65_536) {
    yield Buffer.alloc(Math.min(left, 65_536), `${String(seed)}: ${String(left)} left; `);
    await new Promise(setImmediate);
  }
}

async function* breaking(after: number, error: Error): AsyncGenerator<Uint8Array> {
  yield* bytes(after);
  throw error;
}

/** Registers the tests that every object store must pass, within the `describe` of the caller. */
export function objectStoreContract(open: () => Promise<ObjectStoreUnderTest>): void {
  const subject = forEachTest(open);
  const store = forEachTest(() => subject.store);

  async function fetched(key: string, options: Partial<typeof LINK> = {}): Promise<Download | undefined> {
    return subject.download(await store.downloadUrl(key, { ...LINK, ...options }));
  }

  describe('an object', () => {
    it('comes back as it was put, with its content type and the name of the link', async () => {
      expect(await store.put(KEY, chunks('%PDF', '-', '1.7'))).toEqual({ size: 8 });
      expect(await fetched(KEY)).toEqual({
        contentType: 'application/pdf',
        downloadName: 'report.pdf',
        body: Buffer.from('%PDF-1.7'),
      });
    });

    it('may be large', async () => {
      const size = 12 * MEBIBYTE + 7;
      expect(await store.put(KEY, bytes(size))).toEqual({ size });
      const found = await fetched(KEY);
      expect(found?.body.equals(await buffer(bytes(size)))).toBe(true);
    });

    it('may be empty', async () => {
      expect(await store.put(KEY, chunks())).toEqual({ size: 0 });
      expect((await fetched(KEY))?.body).toEqual(Buffer.alloc(0));
    });

    it('is a table if its key says so, beside the PDF', async () => {
      const table = KEY.replace('.pdf', '.csv');
      for (const key of [KEY, table]) await store.put(key, chunks(key));
      expect(await fetched(table)).toMatchObject({ contentType: 'text/csv; charset=utf-8', body: Buffer.from(table) });
      expect(await fetched(KEY)).toMatchObject({ contentType: 'application/pdf', body: Buffer.from(KEY) });
    });

    it('takes the place of the one before it', async () => {
      await store.put(KEY, chunks('the longer first one'));
      await store.put(KEY, chunks('second'));
      expect(await fetched(KEY)).toMatchObject({ contentType: 'application/pdf', body: Buffer.from('second') });
      expect(await subject.contents()).toHaveLength(1);
    });

    it('put twice at the same time is one of the two, whole', async () => {
      const size = 2 * MEBIBYTE;
      await Promise.all([store.put(KEY, bytes(size, 1)), store.put(KEY, bytes(size, 2))]);
      const body = (await fetched(KEY))?.body;
      const either = [await buffer(bytes(size, 1)), await buffer(bytes(size, 2))];
      expect(either.some((candidate) => body?.equals(candidate) === true)).toBe(true);
      expect(await subject.contents()).toHaveLength(1);
    });

    it('that was never put cannot be downloaded', async () => {
      await store.put(KEY, chunks('x'));
      expect(await fetched('driving-reports/org/acme')).toBeUndefined();
      expect(await fetched(`${KEY}/below`)).toBeUndefined();
      expect(await fetched('other.pdf')).toBeUndefined();
    });
  });

  describe('a stream that fails', () => {
    it.each([
      ['early', 10],
      ['after several megabytes', 6 * MEBIBYTE],
    ])('%s throws its own error and leaves nothing behind', async (_when, after) => {
      const error = new Error('the renderer died');
      await expect(store.put(KEY, breaking(after, error))).rejects.toBe(error);
      expect(await subject.contents()).toEqual([]);
      expect(await fetched(KEY)).toBeUndefined();
    });

    it('leaves the object that was there', async () => {
      await store.put(KEY, chunks('the first one'));
      await expect(store.put(KEY, breaking(10, new Error('no')))).rejects.toThrow('no');
      expect((await fetched(KEY))?.body).toEqual(Buffer.from('the first one'));
      expect(await subject.contents()).toHaveLength(1);
    });
  });

  describe('an upload that is aborted', () => {
    it('before it began fails and leaves nothing behind', async () => {
      const signal = AbortSignal.abort(new Error('too late'));
      await expect(store.put(KEY, chunks('x'), signal)).rejects.toBeInstanceOf(Error);
      expect(await subject.contents()).toEqual([]);
    });

    it('while its stream is silent fails, ends the stream and leaves nothing behind', async () => {
      const stopping = new AbortController();
      let ended = false;
      async function* silent(): AsyncGenerator<Uint8Array> {
        try {
          yield* bytes(6 * MEBIBYTE);
          stopping.abort(new Error('the deadline has passed'));
          yield* bytes(MEBIBYTE);
        } finally {
          ended = true;
        }
      }
      await expect(store.put(KEY, silent(), stopping.signal)).rejects.toBeInstanceOf(Error);
      expect(ended).toBe(true);
      expect(await subject.contents()).toEqual([]);
      expect(await fetched(KEY)).toBeUndefined();
    });

    it('while its stream hangs does not wait for it', async () => {
      const stopping = new AbortController();
      const sent = bytes(12 * MEBIBYTE);
      const hanging: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            const next = await sent.next();
            if (next.done !== true) return next;
            setImmediate(() => stopping.abort(new Error('the deadline has passed')));
            return new Promise(() => undefined);
          },
        }),
      };
      await expect(store.put(KEY, hanging, stopping.signal)).rejects.toBeInstanceOf(Error);
      expect(await subject.contents()).toEqual([]);
    });
  });

  describe('a key', () => {
    it.each([
      ['is empty', ''],
      ['is absolute', '/a.pdf'],
      ['ends in a slash', 'a/'],
      ['has an empty segment', 'a//b'],
      ['climbs', '../a'],
      ['climbs in the middle', 'a/../b'],
      ['climbs at its end', 'a/..'],
      ['stays', './a'],
      ['stays at its end', 'a/.'],
      ['has a backslash', 'a\\b'],
      ['has a NUL', 'a\0b'],
      ['has a line break', 'a\nb'],
      ['is too long', 'a/'.repeat(512) + 'b'],
      ['has half a character', 'a\ud800b'],
    ])('that %s is refused', async (_fault, key) => {
      await expect(store.put(key, chunks('x'))).rejects.toThrow(/key/i);
      await expect(store.downloadUrl(key, LINK)).rejects.toThrow(/key/i);
      expect(await subject.contents()).toEqual([]);
    });

    it('may hold anything else, and keys that differ are different objects', async () => {
      const keys = [
        'a%2Eb/c.pdf',
        'a.b/c.pdf',
        'a%252Eb/c.pdf',
        'a b/c+d.pdf',
        'a+b/c d.pdf',
        '...',
        'a/..b',
        'a/%2E%2E',
        'q?x=1&y#z',
        '株式会社/運転日報 🚚.pdf',
        `${'x'.repeat(300)}/1.pdf`,
        `${'x'.repeat(301)}/1.pdf`,
        `${'社'.repeat(100)}.pdf`,
        `${'社'.repeat(99)}車.pdf`,
        "it's/(1)!*.pdf",
        'C:/nul',
        'a;b=c,d@e$f',
      ];
      for (const key of keys) await store.put(key, chunks(key));
      for (const key of keys) expect((await fetched(key))?.body.toString()).toBe(key);
      expect(await subject.contents()).toHaveLength(keys.length);
    });
  });

  describe('a download link', () => {
    it('gives the object any name', async () => {
      await store.put(KEY, chunks('x'));
      const downloadName = '運転日報 "acme"; 2026-11-20.pdf';
      expect((await fetched(KEY, { downloadName }))?.downloadName).toBe(downloadName);
    });

    it('is refused when it has expired', async () => {
      await store.put(KEY, chunks('x'));
      // On a busy machine a link may be over before it is followed; the next one is not.
      let link = '';
      await waitFor('a download before the link expires', async () => {
        link = await store.downloadUrl(KEY, { ...LINK, expiresInMs: 2_000 });
        return subject.download(link);
      });
      await subject.passTime(3_100);
      expect(await subject.download(link)).toBeUndefined();
    });

    it('is refused when it leads to another object', async () => {
      await store.put(KEY, chunks('x'));
      await store.put('secret.pdf', chunks('secret'));
      const link = await store.downloadUrl(KEY, LINK);
      expect(await subject.download(link.replace(KEY, 'secret.pdf'))).toBeUndefined();
    });

    it('is refused when any of its parameters was changed or left out', async () => {
      await store.put(KEY, chunks('x'));
      const link = await store.downloadUrl(KEY, LINK);
      expect(await subject.download(link)).toBeDefined();
      const [path = '', query = ''] = link.split('?');
      const names = [...new URLSearchParams(query).keys()];
      expect(names.length).toBeGreaterThan(1);
      for (const name of names) {
        const changed = new URLSearchParams(query);
        const value = changed.get(name) ?? '';
        changed.set(name, value.startsWith('9') ? `8${value.slice(1)}` : `9${value.slice(1)}`);
        const without = new URLSearchParams(query);
        without.delete(name);
        expect({ name, found: await subject.download(`${path}?${changed}`) }).toEqual({ name, found: undefined });
        expect({ name, found: await subject.download(`${path}?${without}`) }).toEqual({ name, found: undefined });
      }
    });
  });
}
