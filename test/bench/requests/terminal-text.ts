import { terminalTable } from '../../../src/process/terminal-table.js';
import { wrappedText } from '../../../src/process/wrapped-text.js';
import type { Section } from './section.js';

const INDENT = '  ';

/**
 * The results for a terminal: in its tables, what is measured stands above its figures, so that neither is cut.
 *
 * @param remarks a paragraph each
 * @param maxWidth columns that everything fits into
 */
export function terminalTextOf(sections: readonly Section[], remarks: readonly string[], maxWidth: number): string {
  return [
    ...remarks.flatMap((remark) => wrappedText(plain(remark).trim(), maxWidth)),
    ...sections.flatMap((section) => [
      '',
      ...wrappedText(plain(section.title), maxWidth),
      '',
      ...tableOf(section, maxWidth),
    ]),
    '',
  ].join('\n');
}

function tableOf({ columns: [, ...headings], rows }: Section, maxWidth: number): string[] {
  const [heading = '', rule = '', ...lines] = terminalTable(
    rows.map(([, ...figures]) => figures),
    { headings, maxWidth: maxWidth - INDENT.length },
  ).map((line) => `${INDENT}${line}`);
  return [heading, rule, ...rows.flatMap(([label = ''], index) => [plain(label), lines[index] ?? ''])];
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\*\*|`/g, '');
}
