import { describe, expect, it } from '@jest/globals';
import stringWidth from 'fast-string-width';
import { wrappedText } from '../../../src/programs/process/terminal.js';

describe('a wrapped text', () => {
  it('breaks between words, and keeps all of them', () => {
    expect(wrappedText('The callback answered 500.', 12)).toEqual(['The callback', 'answered', '500.']);
    expect(wrappedText('short', 12)).toEqual(['short']);
    expect(wrappedText('', 12)).toEqual(['']);
  });

  it('breaks a word only where it is longer than a line', () => {
    expect(wrappedText('id 0123456789abcdef end', 8)).toEqual(['id', '01234567', '89abcdef', 'end']);
  });

  it('counts columns of a terminal, and cuts no character in two', () => {
    const text = '東京都港区 か\u3099🚚🇯🇵 東京都港区';
    const lines = wrappedText(text, 9);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    expect(lines.every((line) => stringWidth(line) <= 9)).toBe(true);
  });

  it('leaves nothing that a terminal would obey', () => {
    expect(wrappedText('red \u001b[31m\nnow', 80)).toEqual(['red \ufffd[31m\ufffdnow']);
  });
});
