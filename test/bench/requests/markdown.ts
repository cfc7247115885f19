import type { Section } from './section.js';

/** The results as a page. @param remarks a line each */
export function markdownOf(sections: readonly Section[], remarks: readonly string[]): string {
  return [
    '# Request benchmark',
    '',
    ...remarks.map((remark) => `- ${remark}`),
    '',
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...tableOf(section), '']),
  ].join('\n');
}

function tableOf({ columns, rows }: Section): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)];
}
