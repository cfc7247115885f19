/** The table of SECURITY.md names tests that exist, and every suite of `test/security/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';

const text = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8');
const table = text.slice(text.indexOf('## Attack, defence, test'));
const rows = [...table.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)].slice(1).map(([, ...cells]) => cells);
const named = rows.map(([attack = '', , test = '']) => {
  const [, file = '', sentence = ''] = /^`(test\/[\w/.-]+\.test\.ts)`: (.+)$/.exec(test) ?? [];
  return [attack, file, sentence] as const;
});

describe('the table of SECURITY.md', () => {
  it('has a row for each attack', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(new Set(named.map(([attack]) => attack)).size).toBe(rows.length);
  });

  it.each(named)('names a test that exists: %s', (_attack, file, sentence) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(sentence.length).toBeGreaterThan(10);
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(sentence);
  });

  it('names every suite that is about attacks', () => {
    const suites = readdirSync(path.join(ROOT, 'test/security')).filter((name) => name.endsWith('.test.ts'));
    const files = new Set(named.map(([, file]) => file));
    expect(suites.map((name) => `test/security/${name}`).filter((file) => !files.has(file))).toEqual([]);
  });
});
