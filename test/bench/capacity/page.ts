/** The page with these tables in their places, each between two comments that name it. @throws {Error} one is missing */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The page has no place for the table "${name}".`);
    return `${text.slice(0, from + start.length)}${table}${text.slice(to)}`;
  }, page);
}
