import { describe, expect, it } from '@jest/globals';
import { decodeUtf8 } from '../../../src/base/wire/decode-utf8.js';

const MEGABYTE = 1024 * 1024;
const MARK = '\ufeff';

/** Fills up to some bytes with ASCII, so that what comes next lies where pieces are divided. */
const upTo = (length: number): string => 'a'.repeat(length);

describe('text that is decoded in pieces', () => {
  it.each([
    ['nothing', ''],
    ['one character', '運'],
    ['a whole piece', upTo(MEGABYTE)],
    ...['é', '運', '😀'].flatMap((character) =>
      [0, 1, 2, 3, 4].map((bytes): [string, string] => [
        `${character}, ${bytes} bytes before the end of a piece`,
        `${upTo(MEGABYTE - bytes)}${character.repeat(MEGABYTE)}`,
      ]),
    ),
    ['a mark where a piece begins, and at the end', `${upTo(MEGABYTE)}${MARK}x${MARK}`],
  ])('is what it was: %s', async (_what, text) => {
    expect((await decodeUtf8(Buffer.from(text))) === text).toBe(true);
    // A mark at the beginning is left out.
    expect((await decodeUtf8(Buffer.from(`${MARK}${text}`))) === text).toBe(true);
  });

  it.each([
    ['a byte that is none', [0xff]],
    ['a character that is cut short', [0xe9, 0x81]],
    ['what only goes on', [0x80, 0x80, 0x80, 0x80]],
    ['more than a character has', [0xe9, 0x81, 0x8b, 0x80, 0x80]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('is none with %s, wherever it lies', async (_what, broken) => {
    for (const before of [0, 5, MEGABYTE - 4, MEGABYTE - 3, MEGABYTE - 2, MEGABYTE - 1, MEGABYTE]) {
      for (const behind of ['', upTo(100)]) {
        const bytes = Buffer.concat([Buffer.from(upTo(before)), Buffer.from(broken), Buffer.from(behind)]);
        expect(await decodeUtf8(bytes)).toBeUndefined();
      }
    }
  });
});
