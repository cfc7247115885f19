import type { Section } from './section.js';

/** The results as a page. @param remarks a line each @param chart address of the drawing, if there is one */
export function markdownOf(
  sections: readonly Section[],
  remarks: readonly string[],
  chart: string | undefined,
): string {
  return [
    '# Request benchmark',
    '',
    ...remarks.map((remark) => `- ${remark}`),
    '',
    ...(chart === undefined ? [] : [`![Processor time of each server a request](${chart})`, '']),
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...tableOf(section), '']),
  ].join('\n');
}

function tableOf({ columns, rows }: Section): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)];
}
