/** A part of the results: a table. */
export interface Section {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

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

export function tableOf({ columns, rows }: Pick<Section, 'columns' | 'rows'>): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)];
}

/** Whether a figure is within its reach, as it stands in the tables. */
export function verdict(figure: number, max: number): string {
  return figure <= max ? 'met' : 'not met';
}

/** The median; of an even number the upper one. NaN without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** The middle one of the multiples of the other's value in the same turn. NaN without values. */
export function ratioInTurns(own: readonly number[], others: readonly number[]): number {
  return median(own.map((value, turn) => value / (others[turn] ?? NaN)));
}

/** `median (smallest–largest)` @param unit stands behind the median */
export function spread(values: readonly number[], digits = 0, unit = ''): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)}${unit} (${low}–${high})`;
}
