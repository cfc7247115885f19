import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bidiRuns, mirrored, visualOrder } from '../../../src/reports/text/bidi.js';

const HEBREW_A = 0x5d0;

/** Capitals stand for Hebrew letters, as in the examples of UAX #9. */
function hebrew(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String.fromCodePoint(HEBREW_A + letter.charCodeAt(0) - 65));
}

/** The characters on paper from left to right, with capitals for Hebrew ones. */
function shown(text: string): string {
  const runs = bidiRuns(hebrew(text));
  const order = visualOrder(runs.map(({ level }) => level));
  return order
    .map((place) => runs[place])
    .map((run) => {
      const characters = Array.from(run?.text ?? '');
      return (run?.level ?? 0) % 2 === 0 ? characters.join('') : characters.map(mirrored).reverse().join('');
    })
    .join('')
    .replace(/[\u05d0-\u05ea]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - HEBREW_A + 65));
}

describe('a line of text of both directions', () => {
  it.each([
    ['IT IS A bmw 500, OK.', '.KO ,bmw 500 A SI TI'],
    ['smith (fabrikam ABC) HEB', 'smith (fabrikam CBA) BEH'],
    ['ABC (def) 12', '12 (def) CBA'],
    ['DEPOT 12-14, GATE 3', '3 ETAG ,12-14 TOPED'],
    ['berth 4, DEPOT [B] 12', 'berth 4, 12 [B] TOPED'],
    ['start 08:00 ABC 5', 'start 08:00 5 CBA'],
    ['ABC  ', '  CBA'],
  ])('%s is shown as %s', (text, visual) => expect(shown(text)).toBe(visual));

  it('keeps Arabic numbers in their order, with their own signs and those of Europe', () => {
    expect(bidiRuns('رضا ١٢٫٣ ۴۵').map(({ text, level }) => [text, level])).toEqual([
      ['رضا ', 1],
      ['١٢٫٣', 2],
      [' ', 1],
      ['۴۵', 2],
    ]);
  });

  it('leaves accents on their letters', () => {
    const levels = bidiRuns('דָּוִד a').map(({ level }) => level);
    expect(levels).toEqual([1, 2]);
  });
});

/** Letters of both directions, numbers of both kinds, marks, brackets, signs and spaces. */
const anyLine = fc
  .array(fc.constantFrom(...Array.from('abאבجد12٣۴()[]«».,:/+-%$ \u0301\u05b0!“字カก')), { maxLength: 24 })
  .map((characters) => characters.join(''));

describe('whatever the line', () => {
  it('its runs are the whole line, and neighbours run at different levels', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const runs = bidiRuns(line);
        expect(runs.map(({ text }) => text).join('')).toBe(line);
        for (const [index, { level }] of runs.entries()) expect(level).not.toBe(runs[index + 1]?.level);
      }),
      { numRuns: 1_000 },
    );
  });

  it('letters run in their own direction and numbers from left to right', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        for (const { text, level } of bidiRuns(line)) {
          if (/[a-zא-תجد]/.test(text)) expect(level % 2 === 0).toBe(/[a-z]/.test(text));
          if (/[0-9٣۴]/.test(text)) expect(level % 2).toBe(0);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('without a letter that runs from right to left it stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab12()., 字éก')) }), (line) => {
        expect(bidiRuns(line)).toEqual(line === '' ? [] : [{ text: line, level: 0 }]);
      }),
    );
  });
});
