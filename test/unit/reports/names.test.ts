import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, read, trip, words } from './drawn.js';

const NAMES = {
  Japanese: '齋藤 健一郎 さくら サクラ',
  'simplified Chinese': '张伟 刘洋',
  'traditional Chinese': '陳怡君 黃志豪',
  Korean: '김민수 박지영',
  Vietnamese: 'Nguyễn Thị Hồng Đức',
  Latin: 'Łukasz Żółć Seán O’Brien Zoë',
  Greek: 'Αλέξης Παπαδόπουλος',
  Cyrillic: 'Дмитрий Соколов',
  'a mixture': '김 Łukasz 张 Алекс 齋藤',
} as const;

describe('a name', () => {
  it.each(Object.entries(NAMES))('in %s reads back as it was written, in regular and in bold type', async (_, name) => {
    const { bytes, missingCharacters } = await draw([dayOf([], { employeeName: name }), dayOf([])]);
    const { pages } = await read(bytes);
    expect(joined(pages[0]).replaceAll(' ', '')).toContain(name.replaceAll(' ', ''));
    expect(joined(pages[1]).replaceAll(' ', '')).toContain(name.replaceAll(' ', ''));
    expect(missingCharacters.size).toBe(0);
  });

  it('keeps compatibility ideographs and characters beyond the basic plane', async () => {
    const name = '\ufa19谷 \ufa11 𠮷田 髙橋';
    expect(joined((await read((await draw([dayOf([], { employeeName: name })])).bytes)).pages[0])).toContain(name);
  });

  it('is composed, so that an accent typed as a mark of its own prints on its letter', async () => {
    const { pages } = await read((await draw([dayOf([], { employeeName: 'Nguye\u0302\u0303n' })])).bytes);
    expect(joined(pages[0])).toContain('Nguyễn');
  });

  it('with an ideographic variation sequence gets the other shape', async () => {
    const glyphsOf = async (name: string): Promise<string[]> => {
      const { bytes } = await draw([dayOf([], { employeeName: name })]);
      const [, shown = ''] = / 60 730\.89 Td (.*?) ET/s.exec(content(bytes)) ?? [];
      return [...shown.matchAll(/\((.*?)\)/gs)].flatMap(([, text = '']) => text.match(/../gs) ?? []);
    };
    const [first, , second] = await glyphsOf('神 神');
    expect(second).toBe(first);
    const [plain, , variant] = await glyphsOf('神 神\ufe00');
    expect(variant).not.toBe(plain);
  });

  it('shows a mark for each character that no font has, and reports them', async () => {
    const name = 'Ayşe \u{12000}\u{12001}\u{12000}';
    const { bytes, missingCharacters } = await draw([dayOf([trip()], { employeeName: name })]);
    expect(joined((await read(bytes)).pages[0])).toContain('Ayşe 〓〓〓');
    expect(Object.fromEntries(missingCharacters)).toEqual({ '\u{12000}': 2, '\u{12001}': 1 });
    expect(content(bytes).includes(`/ActualText<${utf16(name)}>`)).toBe(true);
  });

  it('loses control and bidirectional characters and lone surrogates, and nothing else', async () => {
    const name = '\u202eEvil\u202c\u0000Tab\there\r\nnew\u200b line\u2066!\u2069 \ufeff終';
    const { pages, bookmarks } = await read((await draw([dayOf([], { employeeName: name })])).bytes);
    expect(joined(pages[0])).toContain('Evil Tab here new line! 終');
    expect(bookmarks).toEqual(['E20021 Evil Tab here new line! 終']);
    const { missingCharacters } = await draw([dayOf([], { employeeName: 'a\ud800b' })]);
    expect([...missingCharacters.keys()].length).toBeLessThanOrEqual(1);
  });

  it('that is longer than its place is printed smaller in two lines, and beyond that in full below', async () => {
    const printed = async (employeeName: string): Promise<[text: string, size: number][]> => {
      const { pages } = await read((await draw([dayOf([], { employeeName })])).bytes);
      return (pages[0] ?? []).filter(({ text }) => text.includes('長')).map(({ text, size }) => [text, size]);
    };
    expect(await printed('長'.repeat(11))).toEqual([['長'.repeat(11), 12]]);
    expect(await printed('長'.repeat(25))).toEqual([
      ['長'.repeat(18), 7.5],
      ['長'.repeat(7), 7.5],
    ]);
    const [first, second, whole] = await printed('長'.repeat(60));
    expect([first, second]).toEqual([
      ['長'.repeat(18), 7.5],
      [expect.stringMatching(/^…長+$/), 7.5],
    ]);
    expect(whole).toEqual([`Driver: ${'長'.repeat(60)}`, 7]);
  });

  it('that is empty or only white space leaves a dash', async () => {
    const { pages } = await read((await draw([dayOf([], { employeeName: ' \t', employeeCode: '' })])).bytes);
    expect(
      words(pages[0])
        .split('\n')
        .filter((word) => word === '—').length,
    ).toBeGreaterThanOrEqual(2);
  });
});

describe('a Thai name', () => {
  it('has its tone mark over sara am and copies in the original order', async () => {
    const { bytes } = await draw([dayOf([], { employeeName: 'สมชาย น้ำฝน' })]);
    expect(content(bytes).includes(`/ActualText<${utf16('สมชาย น้ำฝน')}>`)).toBe(true);
  });
});

describe('characters that share a glyph', () => {
  it('both copy as they were written', async () => {
    const { bytes } = await draw([dayOf([], { employeeCode: 'カ〜', mobileId: 'カ～' })]);
    expect(content(bytes).includes(`/ActualText<${utf16('カ～')}>`)).toBe(true);
  });
});

describeWith(['pdftotext', 'pdffonts', 'qpdf'], 'what other readers make of a report', () => {
  it('is a sound file with embedded subset fonts, from which every name copies', async () => {
    const names = [...Object.values(NAMES), 'สมชาย น้ำฝน', '\ufa19谷 〜 ～'];
    const { bytes } = await draw(
      names.map((employeeName) => dayOf([trip()], { employeeName })),
      {},
      { compress: true },
    );
    const directory = mkdtempSync(path.join(tmpdir(), 'report-'));
    try {
      const file = path.join(directory, 'report.pdf');
      writeFileSync(file, bytes);
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
        'No syntax or stream encoding errors',
      );
      const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
      for (const name of names) expect(text).toContain(name);
      const fonts = execFileSync('pdffonts', [file], { encoding: 'utf8' }).trim().split('\n').slice(2);
      expect(fonts.length).toBeGreaterThanOrEqual(8);
      for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+NotoSans.*\byes yes yes\b/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

it('the fonts come with the licence under which they are embedded', () => {
  const { resolve } = createRequire(import.meta.url);
  const scripts = [
    'arabic',
    'armenian',
    'bengali',
    'devanagari',
    'georgian',
    'hebrew',
    'jp',
    'kr',
    'sc',
    'tamil',
    'thai',
  ];
  for (const family of ['', ...scripts.map((script) => `-${script}`)]) {
    const licence = readFileSync(resolve(`@expo-google-fonts/noto-sans${family}/LICENSE_FONT`), 'utf8');
    expect(licence).toContain('SIL Open Font License, Version 1.1');
  }
});

/** The page without the line breaks between the pieces of a text that is set in several fonts. */
function joined(page: Parameters<typeof words>[0]): string {
  return words(page).replaceAll('\n', '');
}

function content(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function utf16(text: string): string {
  return `FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}`.toUpperCase();
}
