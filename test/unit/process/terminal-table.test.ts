import { describe, expect, it } from '@jest/globals';
import stringWidth from 'fast-string-width';
import { terminalTable } from '../../../src/programs/process/terminal.js';

describe('A table for terminals', () => {
  it('has its columns under each other, whatever the width of the characters', () => {
    const headings = ['Name', 'Driver', 'km/h'];
    const rows = [
      ['Delivery van', '髙木 さくら', '85'],
      ['軽バン', 'Zoe\u0308', '0'],
      ['ｶﾞｿﾘﾝ 🚚', '', '120'],
    ];
    expect(terminalTable(rows, { headings })).toEqual([
      'Name          Driver       km/h',
      '────────────  ───────────  ────',
      'Delivery van  髙木 さくら  85',
      '軽バン        Zoe\u0308          0',
      'ｶﾞｿﾘﾝ 🚚                   120',
    ]);
  });

  it('has neither headings nor a rule by default, and keeps a last column as long as it is', () => {
    const reply = 'x'.repeat(500);
    expect(
      terminalTable([
        ['Organisation', '-'],
        ['Reply', reply],
      ]),
    ).toEqual(['Organisation  -', `Reply         ${reply}`]);
    expect(terminalTable([])).toEqual([]);
  });

  it('shows control characters instead of letting the terminal obey them', () => {
    expect(terminalTable([['a\u001b[2Jb\u202ec\nd', 'e']])).toEqual(['a\u{fffd}[2Jb\u{fffd}c\u{fffd}d  e']);
  });

  it('cuts the widest texts until it fits, and never a figure', () => {
    const rows = [
      ['35.6952, 139.6980', '東京都新宿区西新宿1丁目1-11', 'Refrigerated, Rental', 'online'],
      ['35.5625, 139.7112', '東京都大田区蒲田3丁目6-10', '', 'offline'],
    ];
    const headings = ['Position', 'Address', 'Tags', 'Voice'];
    const narrow = terminalTable(rows, { headings, maxWidth: 60 });
    expect(narrow).toEqual([
      'Position           Address          Tags             Voice',
      '─────────────────  ───────────────  ───────────────  ───────',
      '35.6952, 139.6980  東京都新宿区西…  Refrigerated, …  online',
      '35.5625, 139.7112  東京都大田区蒲…                   offline',
    ]);
    expect(Math.max(...narrow.map((line) => stringWidth(line)))).toBe(60);
    expect(terminalTable(rows, { headings, maxWidth: 90 })).toEqual(terminalTable(rows, { headings }));
    expect(terminalTable(rows, { maxWidth: 1 })[0]).toBe('35.6952, 139.6980  東京都…   Refrige…  online');
  });
});
