import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { distributeText } from '../../../src/reports/text/glyph-texts.js';

const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
const shared = (text: string, glyphs: readonly string[]): readonly string[] => distributeText(text, glyphs.map(points));

describe('a text that is shared out to glyphs', () => {
  it.each([
    ['one for each character', 'abc', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['a ligature', 'aلاb', ['a', 'لا', 'b'], ['a', 'لا', 'b']],
    ['a vowel that is shown before its consonant', 'हिन', ['ि', 'ह', 'न'], ['ह', 'ि', 'न']],
    ['a consonant that is shown after its vowel', 'र्मा', ['म', 'ा', 'र्'], ['र', '्', 'मा']],
    ['a vowel of two parts', 'কো', ['ে', 'ক', 'া'], ['ক', 'ে', 'া']],
    ['dots that are a glyph of their own', 'يا', ['ي', '', 'ا'], ['ي', '', 'ا']],
    ['glyphs that come from something else', 'ab', ['x', 'y'], ['a', 'b']],
    ['fewer glyphs than characters', 'abc', ['a'], ['abc']],
  ])('%s', (_, text, glyphs, expected) => expect(shared(text, glyphs)).toEqual(expected));

  it('is the whole text in its order, whatever became of it', () => {
    const unit = fc.constantFrom(...Array.from('abcdé'));
    const glyphs = fc.array(fc.string({ unit, maxLength: 3 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.string({ unit }), glyphs, (text, each) => {
        expect(shared(text, each).join('').normalize('NFC')).toBe(text.normalize('NFC'));
      }),
    );
  });
});
