/** Names in every script: side by side, joined, stacked, reordered or from right to left. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawReport } from '../../../src/reports/render/draw-report.js';
import type { FontFamily, FontWeight } from '../../../src/reports/text/font-families.js';
import { PdfFile } from '../../../src/reports/pdf/pdf-file.js';
import { FontLibrary } from '../../../src/reports/text/font-library.js';
import { Typesetter } from '../../../src/reports/text/typesetter.js';
import { describeWith } from '../../support/system-tools.js';
import { readOutcomes } from '../../support/sample-report.js';
import { dayOf, draw, OPTIONS, read, trip, words, type PlacedText, withFile } from './drawn.js';

const NAMES: Readonly<Partial<Record<FontFamily, readonly string[]>>> = {
  arabic: ['محمد علی الإسلام', 'علی\u200cرضا کریمی', 'عبد الله يوسف', 'مُحَمَّد', 'رضا ١٢٣'],
  hebrew: ['משה בן ארי', 'דָּוִד לוי'],
  georgian: ['გიორგი ბერიძე', 'ᲗᲑᲘᲚᲘᲡᲘ'],
  armenian: ['Արմեն Սարգսյան'],
  devanagari: ['हिन्दी क्षत्रिय श्री', 'राकेश शर्मा'],
  bengali: ['কোমল ভৌমিক', 'রাহুল শ্রীবাস্তব', 'ক্ষিতীশ রাষ্ট্রকূট'],
  tamil: ['கொற்றவை சௌந்தர்', 'ஸ்ரீ ராம்'],
};
/** Drawn in another order than they are written, or with a glyph that is that of two characters. */
const DRAWN_OTHERWISE = ['สมชาย น้ำฝน', '\ufa19谷 〜 ～'];
/** Names whose letters stand one behind the other. */
const PLAIN = [
  '齋藤 健一郎 さくら サクラ',
  '张伟 刘洋',
  '陳怡君 黃志豪',
  '김민수 박지영',
  'Nguyễn Thị Hồng Đức',
  'Łukasz Żółć Seán O’Brien Zoë',
  'Auf\u200clage Schiff\u200dfahrt',
  'Αλέξης Παπαδόπουλος',
  'Дмитрий Соколов',
  '김 Łukasz 张 Алекс 齋藤',
  ...DRAWN_OTHERWISE,
];
const ALL = [...PLAIN, ...Object.values(NAMES).flat()];

/** The text of a page as it is read, without the spaces that a reader guesses from gaps. */
async function textOf(name: string): Promise<string> {
  const { bytes, missingCharacters } = await draw([dayOf([trip({ startAddress: name })], { employeeName: name })]);
  expect(missingCharacters.size).toBe(0);
  return asRead((await read(bytes)).pages[0]);
}

/** A name without what this reader leaves out; another one below has the joiners. */
function copied(name: string): string {
  return name.replace(/\s|\u200c|\u200d/g, '');
}

function asRead(page: readonly PlacedText[] | undefined): string {
  return words(page).replace(/\s/g, '').normalize('NFC');
}

describe('a name', () => {
  let pages: readonly (readonly PlacedText[])[];
  beforeAll(async () => {
    const { bytes, missingCharacters } = await draw(
      ALL.map((name) => dayOf([trip({ startAddress: name })], { employeeName: name })),
    );
    expect(missingCharacters.size).toBe(0);
    ({ pages } = await read(bytes));
    expect(pages).toHaveLength(ALL.length + 1);
  });

  it.each(ALL.filter((name) => !DRAWN_OTHERWISE.includes(name)))('as %s reads back as it was written', (name) => {
    // Behind the cover.
    const text = asRead(pages[ALL.indexOf(name) + 1]);
    expect(text.split(copied(name).normalize('NFC')).length).toBeGreaterThan(2);
  });

  it.each(['דן (Dan) 45', 'Dan דן 45 כהן', 'علي حسن (Ali) 12', 'משה, רח׳ הרצל 12א', 'E7 علی\u200cرضا (Ali) 12'])(
    'of both directions, as %s, reads back as it was written',
    async (name) => expect(await textOf(name)).toContain(copied(name)),
  );

  it('that runs from right to left and is too long loses its middle, for which dots stand on the right of its last line', async () => {
    for (const name of ['בנימין בן אליעזר '.repeat(3), 'محمد عبد الرحمن '.repeat(4)]) {
      const text = await textOf(name.trim());
      const beginning = name.replace(/\s/g, '').slice(0, 20);
      expect(text).toContain(beginning);
      const { bytes } = await draw([dayOf([], { employeeCode: name })]);
      const page = (await read(bytes)).pages[0] ?? [];
      const dots = page.find(({ text: part }) => part.includes('…'));
      expect(dots).toBeDefined();
      const line = page.filter(({ x, y }) => y === dots?.y && x > 200 && x < 280);
      expect(line.length).toBeGreaterThan(1);
      expect(dots?.x).toBe(Math.max(...line.map(({ x }) => x)));
    }
  });

  it('is never cut or broken inside a syllable', async () => {
    const syllable = 'क्ष्मि';
    const name = syllable.repeat(60);
    const { bytes } = await draw([dayOf([trip({ startAddress: name })], { employeeName: name })]);
    const parts = ((await read(bytes)).pages[0] ?? []).filter(({ text }) => /[\u0900-\u097f]/.test(text));
    expect(parts.length).toBeGreaterThan(4);
    for (const { text } of parts) expect(text.normalize('NFC')).toMatch(/^(?:क्ष्मि)+…?$/);
  });

  it('joins its letters: beside each other they are other glyphs than apart', async () => {
    const glyphs = async (employeeName: string): Promise<Set<string>> => {
      const { bytes } = await draw([dayOf([], { employeeName })], {}, { maxTaggedPages: 0 });
      const file = Buffer.from(bytes).toString('latin1');
      // The values of the file's table of what glyphs copy as.
      return new Set([...file.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)].flatMap(([, table = '']) => table));
    };
    expect(await glyphs('ببب')).not.toEqual(await glyphs('ب'));
  });
});

/** Names of a report; `npm run test:soak` sets more. */
const NAMES_AT_ONCE = Number(process.env['BAD_REPORTS'] ?? 10);

describe('marks', () => {
  const MARKED = [
    'Nguyễn Thị Hồng Đặng Ấu Ễ Ừng Thị Mỹ Ậ',
    'สมชาย น้ำฝนที่ปั้นกู้ฟุ้งญุ่นใจกว้างสุดฤทธิ์',
    'مُحَمَّدُ بْنُ إِسْمَاعِيلَ الجِيلِيِّ الإِبْرَاهِيمِيِّ بْنُ عَبْدِ اللهِ',
  ];

  it.each(MARKED)('of two lines do not touch, by the heights of the fonts: %s', async (name) => {
    const fonts = new FontLibrary();
    const family = name.startsWith('N') ? 'japanese' : name.startsWith('ส') ? 'thai' : 'arabic';
    const { ascent, descent, unitsPerEm } = fonts.font(family, 'regular');
    const short = name.slice(0, 14);
    const ofVehicle = dayOf([], { employeeName: 'Ann', mobileId: '2', vehicle: { num: short, name: short } });
    const outcomes = [dayOf([trip({ startAddress: name.repeat(2) })], { employeeName: name }), ofVehicle];
    const { pages } = await read((await draw(outcomes)).bytes);
    const isOfName = ({ text }: PlacedText): boolean => /[\u0e01-\u0e30\u0620-\u064a]|[ễịặẤỄỪ]/.test(text);
    const seen = pages.flatMap((page) => {
      const found = page.filter(isOfName);
      const lines = [...new Set(found.map(({ y }) => y))].sort((a, b) => a - b);
      return lines.slice(1).map((y, index) => {
        const sizes = found.filter((each) => each.y === y || each.y === lines[index]).map(({ size }) => size);
        return (y - (lines[index] ?? 0)) / Math.max(...sizes);
      });
    });
    expect(seen.length).toBeGreaterThanOrEqual(5);
    for (const distance of seen) expect(distance).toBeGreaterThan((ascent - descent) / unitsPerEm - 0.03);
  });
});

describe('a joiner without a width', () => {
  const fonts = new FontLibrary();
  const widthOf = (text: string): number => {
    const file = new PdfFile({
      title: '',
      author: undefined,
      language: 'en',
      keywords: '',
      createdAt: new Date(0),
      compress: false,
      pageSize: [100, 100],
    });
    return new Typesetter(file, fonts).width(text, 'regular', 10);
  };

  it.each([
    ['Auf\u200clage', ['Auf', 'lage']],
    ['გი\u200cორგი', ['გი', 'ორგი']],
    ['علی\u200cرضا', ['علی', 'رضا']],
  ])('adds nothing to the width of %j', (name, parts) => {
    expect(widthOf(name)).toBeCloseTo(parts.reduce((sum, part) => sum + widthOf(part), 0));
  });

  it('is other than a mark around a letter, which takes its own', () => {
    for (const letter of ['a', 'b', '字']) expect(widthOf(`${letter}\u20dd`)).toBeGreaterThanOrEqual(9.3);
    expect(widthOf('a\u20ddb\u20dd')).toBeCloseTo(widthOf('a\u20dd') + widthOf('b\u20dd'));
  });

  it('and whatever else is invisible is not missing, and a letter that is says so once on its page', async () => {
    const invisible = 'a\u034f\u115f\u17b4\u180e\u2065\u3164\uffa0\u{1bca0}\u{e0041}\u{e0101}\u200d\ufe0fb';
    expect((await draw([dayOf([], { employeeName: invisible })])).missingCharacters.size).toBe(0);
    const unknown = '𓀀\u200d𓀁';
    const outcomes = [dayOf([trip({ startAddress: unknown })]), dayOf([trip({ endAddress: unknown })]), dayOf([])];
    const { bytes, missingCharacters } = await draw([...outcomes, dayOf([], { employeeName: unknown })]);
    expect([...missingCharacters.keys()].sort()).toEqual(['𓀀', '𓀁']);
    const notes = (await read(bytes)).pages.map((page) =>
      page.filter(({ text }) => text.startsWith('〓: letters')).map(({ text, size }) => [text, size]),
    );
    const [note, ofName] = ['', ', in the name of E20021'].map((of) => [
      [`〓: letters this report cannot print${of}.`, 7],
    ]);
    expect(notes).toEqual([ofName, note, note, [], ofName]);
  });
});

describe('whatever letters and marks stand beside each other', () => {
  // An Arabic mark above a letter that has no place for it, and a Tamil vowel sign above a sign.
  it.each(['\ufee0\u08cc\ufc24\u076a\u0613\u0646', '\u0b9a\u0be9\u0b82\u0bbf\u0b95\u0bcb'])(
    'they are printed: %j',
    async (name) => expect(textOf(name)).resolves.toContain('E20021'),
  );

  it('letters of each script are set in any order', async () => {
    const range = fc.constantFrom(
      { min: 0x600, max: 0x6ff },
      { min: 0x591, max: 0x5f4 },
      { min: 0x900, max: 0x97f },
      { min: 0x980, max: 0x9fe },
      { min: 0xb82, max: 0xbfa },
      { min: 0x10a0, max: 0x10ff },
      { min: 0x531, max: 0x58f },
    );
    const others = fc.constantFrom(' ', '1', '(', '-', '\u200d', '\u200c', 'a');
    const name = range.chain((codes) => {
      const letter = fc.integer(codes).map((code) => String.fromCodePoint(code));
      return fc.string({ unit: fc.oneof({ weight: 5, arbitrary: letter }, others), maxLength: 12 });
    });
    const names = fc.array(name, { minLength: 7 * NAMES_AT_ONCE, maxLength: 7 * NAMES_AT_ONCE });
    const isDrawn = fc.asyncProperty(names, async (all) => {
      const { pages } = await draw(all.map((employeeName) => dayOf([], { employeeName })));
      expect(pages).toBeGreaterThanOrEqual(all.length);
    });
    await fc.assert(isDrawn, { numRuns: 1 });
  });
});

describe('a font', () => {
  class Watched extends FontLibrary {
    readonly opened = new Set<FontFamily>();
    override font(family: FontFamily, weight: FontWeight): ReturnType<FontLibrary['font']> {
      this.opened.add(family);
      return super.font(family, weight);
    }
  }

  async function openedFor(employeeName: string): Promise<readonly FontFamily[]> {
    const fonts = new Watched();
    const outcomes = readOutcomes([dayOf([trip()], { employeeName })], OPTIONS);
    for await (const _ of drawReport(OPTIONS, outcomes, { fonts, maxTaggedPages: 300, compress: true })) continue;
    return [...fonts.opened];
  }

  it('is read only for a report that needs it', async () => {
    expect(await openedFor('齋藤 健一郎')).toEqual(['japanese']);
    for (const [family, [name = '']] of Object.entries(NAMES)) {
      expect(await openedFor(name)).toEqual(['japanese', family]);
    }
  });
});

describeWith(['pdftotext', 'pdffonts', 'qpdf'], 'other readers', () => {
  let text: string;
  let fonts: readonly string[];

  beforeAll(async () => {
    const { bytes } = await draw(
      ALL.map((employeeName) => dayOf([trip()], { employeeName })),
      {},
      { compress: true },
    );
    withFile(bytes, (file) => {
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
        'No syntax or stream encoding errors',
      );
      fonts = execFileSync('pdffonts', [file], { encoding: 'utf8' }).trim().split('\n').slice(2);
      text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    });
  });

  it('find every font embedded, as a subset', () => {
    expect(fonts.length).toBeGreaterThanOrEqual(8);
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+NotoSans.*\byes yes yes\b/);
  });

  // It takes vowel points for words of their own.
  it.each(ALL.filter((name) => !/[\u0591-\u05c7\u064b-\u0652]/.test(name)))('copy %s as it was written', (name) => {
    const found = text.replace(/[\u202a-\u202e]/g, '');
    // A long one stands in two lines.
    for (const word of name.split(' ')) expect(found).toContain(word);
  });
});
