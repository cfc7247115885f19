import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { dayOf, draw, printed, read, trip, words } from './drawn.js';

describe('a name', () => {
  it.each([
    ['keeps compatibility ideographs and characters beyond the basic plane', '\ufa19谷 \ufa11 𠮷田 髙橋', undefined],
    ['is composed, so that an accent typed as a mark of its own prints on its letter', 'Nguye\u0302\u0303n', 'Nguyễn'],
  ])('%s', async (_, employeeName, shown = employeeName) => {
    expect(joined((await printed([dayOf([], { employeeName })])).pages[0])).toContain(shown);
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
    const { pages, bookmarks } = await printed([dayOf([], { employeeName: name })]);
    // In two lines.
    expect(joined(pages[0])).toMatch(/Evil Tab here ?new line! 終/);
    expect(bookmarks).toEqual(['E20021 Evil Tab here new line! 終']);
    const { missingCharacters } = await draw([dayOf([], { employeeName: 'a\ud800b' })]);
    expect([...missingCharacters.keys()].length).toBeLessThanOrEqual(1);
  });

  it('that is longer than its place is printed smaller in two lines, and beyond that in full below', async () => {
    const namesOf = async (employeeName: string): Promise<[text: string, size: number][]> => {
      const { pages } = await printed([dayOf([], { employeeName })]);
      return (pages[0] ?? []).filter(({ text }) => text.includes('長')).map(({ text, size }) => [text, size]);
    };
    expect(await namesOf('長'.repeat(11))).toEqual([['長'.repeat(11), 12]]);
    expect(await namesOf('長'.repeat(16))).toEqual([
      ['長'.repeat(11), 12],
      ['長'.repeat(5), 12],
    ]);
    expect(await namesOf('長'.repeat(25))).toEqual([
      ['長'.repeat(18), 7.5],
      ['長'.repeat(7), 7.5],
    ]);
    const [first, second, whole] = await namesOf('長'.repeat(60));
    expect([first, second]).toEqual([
      ['長'.repeat(18), 7.5],
      [expect.stringMatching(/^…長+$/), 7.5],
    ]);
    expect(whole).toEqual([`Driver: ${'長'.repeat(60)}`, 7]);
  });

  it('that is longer than any real one loses its middle, in every place', async () => {
    const name = `${'a'.repeat(200)}end`;
    const { pages } = await printed([
      dayOf([], { employeeName: name, employeeCode: name, vehicle: { num: name, name } }),
    ]);
    expect(joined(pages[0]).match(/a{12}…a{9}end/g)?.length).toBeGreaterThan(2);
    expect(joined(pages[0])).not.toMatch(/a{13}/);
  });

  it('that is empty or only white space leaves a dash', async () => {
    const { pages } = await printed([dayOf([], { employeeName: ' \t', employeeCode: '' })]);
    expect(
      words(pages[0])
        .split('\n')
        .filter((word) => word === '—').length,
    ).toBeGreaterThanOrEqual(2);
  });
});

it('the fonts come with the licence under which they are embedded', () => {
  const root = new URL('../../../', import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { dependencies: object }; // npm reads it too
  const families = Object.keys(dependencies).filter((name) => name.startsWith('@expo-google-fonts/'));
  expect(families.length).toBeGreaterThan(5);
  for (const family of families) {
    const licence = readFileSync(new URL(`node_modules/${family}/LICENSE_FONT`, root), 'utf8');
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
