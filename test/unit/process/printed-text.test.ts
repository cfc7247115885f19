import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { shellWord, visible } from '../../../src/programs/process/terminal.js';

describe('a text that a command prints', () => {
  it.each([
    ['acme', 'acme'],
    ['two\nlines\tand 株式会社', 'two\nlines\tand 株式会社'],
    ['\u001b[31mred\u0007\r', '\\u001b[31mred\\u0007\\u000d'],
    ['\u009b2J\u202eleft\u2066', '\\u009b2J\\u202eleft\\u2066'],
  ])('shows what would move the cursor as escapes: %j', (text, shown) => expect(visible(text)).toBe(shown));

  it('stays the same JSON', () => {
    const value = { org: '\u009b\u202e\u0001 acme' };
    expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value);
  });
});

describe('a word that is to be pasted', () => {
  it.each(['acme', '', '$(touch x)', "it's", '`id`', 'a b', '株式会社', '-x', '*', '"', '\\'])(
    'is %j to a shell',
    (word) => expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word),
  );

  it.each(['acme', 'org-1.eu', 'a@b'])('is as it stands where that is safe: %s', (word) => {
    expect(shellWord(word)).toBe(word);
  });
});
