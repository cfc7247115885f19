import { describe, expect, it } from '@jest/globals';
import { quotesSecret } from '../../../src/jobs/kinds/quoted-secret.js';
import { PASSWORD, QUOTES } from '../../support/quoted-password.js';

/** What else is in a text, on both sides. */
const framed = (text: string): string => `login id "x": ${text} & more`;

describe('a secret in a text', () => {
  it.each(Object.entries(QUOTES))('is found %s, also within something longer', (_how, quote) => {
    expect(quotesSecret(quote(PASSWORD), PASSWORD)).toBe(true);
    expect(quotesSecret(framed(quote(PASSWORD)), PASSWORD)).toBe(true);
  });

  it.each([
    ['JSON with the short escapes', 'a\b\f\n\r\t"\\z', String.raw`a\b\f\n\r\t\"\\z`],
    ['JSON with escapes in capitals', 'né', String.raw`n\u00E9`],
    ['JSON with an escaped letter that needed none', "it's", String.raw`it\'s`],
    ['HTML by names', `<"'&>`, '&lt;&quot;&apos;&amp;&gt;'],
    ['HTML by names in capitals', '<&>', '&LT;&AMP;&GT;'],
    ['HTML by numbers', 'é😀', '&#233;&#128512;'],
    ['HTML by hexadecimal numbers', 'é😀', '&#xE9;&#X1f600;'],
    ['a URL, in several bytes', '株😀', '%E6%A0%AA%f0%9f%98%80'],
    ['a form, by plus signs', 'one two', 'one+two'],
    ['a form, by numbers', 'a b+c', 'a+b%2Bc'],
    ['three notations within each other', '<"é">', encodeURIComponent(JSON.stringify(JSON.stringify('<"é">')))],
    ['HTML within JSON within a URL', `it's "é"`, encodeURIComponent(JSON.stringify('it&#39;s &quot;é&quot;'))],
    ['base64 behind two more bytes', 'secret', Buffer.from('ab:secret!').toString('base64')],
    ['base64 within a longer run', 'secret', `zz/${Buffer.from('secret').toString('base64')}`],
    ['base64 of a URL', 'ö+rd?', Buffer.from(`p=${encodeURIComponent('ö+rd?')}`).toString('base64')],
    ['base64 in a URL', 'secret>>>??', encodeURIComponent(Buffer.from('secret>>>??').toString('base64'))],
    ['base64 in JSON', 'secret???', Buffer.from('secret???').toString('base64').replaceAll('/', '\\/')],
    ['hex behind a letter', 'secret', `x${Buffer.from('secret').toString('hex')}`],
    ['hex behind a digit and a letter', 'secret', `ff5${Buffer.from('secret').toString('hex')}`],
    ['hex behind a word', 'secret', `password_${Buffer.from('secret').toString('hex')}`],
    ['hex of a single character', '~', '7e'],
    ['base64 of JSON, with more in the same text', 'a"b', Buffer.from(JSON.stringify('is "a"b"')).toString('base64')],
    ['HTML with the last character there is', '\u{10ffff}', '&#x10FFFF;'],
    ['HTML with a number that no character has', 'secret', 'sec&#x110000;ret'],
  ])('is found in %s', (_how, secret, text) => {
    expect(quotesSecret(text, secret)).toBe(true);
  });

  it('is not found where there is none, or where nothing is secret', () => {
    for (const reason of [
      'login id "demo" is taken',
      'the name is too long: 運行',
      '100% wrong + more',
      'a&b;c \\u00',
      'ab12',
      '&#x110000; &#9999999; \\',
      '',
    ]) {
      expect(quotesSecret(reason, PASSWORD)).toBe(false);
      expect(quotesSecret(reason, '')).toBe(false);
    }
  });

  it('is not found in parts, or in another order', () => {
    expect(quotesSecret('sec-ret retsec %73%65%63 7365 c2Vj', 'secret')).toBe(false);
  });
});
