/** First days of the eras since Japan adopted the Gregorian calendar; latest first. */
const ERAS = [
  { name: '令和', from: '2019-05-01' },
  { name: '平成', from: '1989-01-08' },
  { name: '昭和', from: '1926-12-25' },
  { name: '大正', from: '1912-07-30' },
  { name: '明治', from: '1873-01-01' },
] as const;
/** Years that count from before the Gregorian calendar. */
const FIRST_YEARS: Readonly<Record<string, number>> = { 明治: 1868 };

/**
 * Returns the year of a day in its era, as `令和8年`; the first year of an era is 元年. Earlier days keep the common era.
 *
 * @param day `yyyy-mm-dd`
 */
export function eraYear(day: string): string {
  const year = Number(day.slice(0, 4));
  const era = ERAS.find(({ from }) => day >= from);
  if (era === undefined) return `${year}年`;
  const number = year - (FIRST_YEARS[era.name] ?? Number(era.from.slice(0, 4))) + 1;
  return `${era.name}${number === 1 ? '元' : number}年`;
}
