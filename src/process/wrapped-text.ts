import stringWidth from 'string-width';
import { withoutControls } from './terminal-table.js';

/**
 * Breaks a text into lines between words, and within a word that is longer than a line. Control characters become
 * U+FFFD, because a terminal would execute them.
 *
 * @param width columns of a terminal
 */
export function wrappedText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of withoutControls(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter();

function piecesOf(word: string, width: number): string[] {
  const pieces = [''];
  for (const { segment } of graphemes.segment(word)) {
    const last = pieces.at(-1) ?? '';
    if (last !== '' && stringWidth(last + segment) > width) pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
  }
  return pieces;
}
