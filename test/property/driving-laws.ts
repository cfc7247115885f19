/**
 * Driving time as the laws have it, written from their texts alone, for one certain course of a duty.
 *
 * - Regulation (EC) No 561/2006, Article 7: after a driving period of four and a half hours a break of 45 minutes, or one
 *   of at least 15 minutes followed by one of at least 30. Case C-116/92: then the calculation begins afresh.
 * - Regulation (EU) 2024/1258: in occasional passenger services also two breaks of at least 15 minutes each (45 in all).
 * - 改善基準告示 第4条第1項第7号: driving without interruptions of about ten minutes or more each, 30 minutes in all; the
 *   circular of 2022-12-23 (基発1223第3号): below ten minutes, three in a row are none.
 */

/** Part of a certain course: driving, a break, or other work. Breaks that follow each other are one. */
export type Certain = readonly [kind: 'drive' | 'break' | 'work', minutes: number];

export type LawName = 'japan-2024' | 'eu-561' | 'eu-561-occasional';

/** Returns each longest driving without an interrupting break that a law allows an inspector to find. */
export function longestByLaw(law: LawName, course: readonly Certain[]): readonly number[] {
  const joined: Certain[] = [];
  for (const part of course) {
    const last = joined.at(-1);
    if (part[0] === 'break' && last?.[0] === 'break') joined[joined.length - 1] = ['break', last[1] + part[1]];
    else joined.push(part);
  }
  if (law === 'japan-2024') return readingsOfBreaks(joined).map((read) => longest(read, makesThirty));
  return [longest(joined, law === 'eu-561' ? makesFortyFive : makesFortyFiveInTwo)];
}

function longest(course: readonly Certain[], interrupts: (breaks: readonly number[]) => boolean): number {
  let [most, driven] = [0, 0];
  let breaks: number[] = [];
  for (const [kind, minutes] of course) {
    if (kind === 'drive') most = Math.max(most, (driven += minutes));
    if (kind !== 'break') continue;
    breaks = [...breaks, minutes];
    if (interrupts(breaks)) [driven, breaks] = [0, []];
  }
  return most;
}

const makesFortyFive = (breaks: readonly number[]): boolean =>
  breaks.some((first, index) => first >= 45 || (first >= 15 && breaks.slice(index + 1).some((second) => second >= 30)));

const makesFortyFiveInTwo = (breaks: readonly number[]): boolean =>
  makesFortyFive(breaks) ||
  breaks.some((first, index) =>
    breaks.slice(index + 1).some((second) => first >= 15 && second >= 15 && first + second >= 45),
  );

const makesThirty = (breaks: readonly number[]): boolean => breaks.reduce((sum, each) => sum + each, 0) >= 30;

/** Returns the courses with those breaks only that count, for each reading of "about ten minutes" and of a row. */
function readingsOfBreaks(course: readonly Certain[]): readonly (readonly Certain[])[] {
  const places = course.flatMap(([kind], index) => (kind === 'break' ? [index] : []));
  const minutesAt = (place: number): number => course[place]?.[1] ?? 0;
  const open = places.filter((place) => minutesAt(place) < 9);
  return Array.from({ length: 2 ** open.length }, (_, choice) => {
    const isChosen = (place: number): boolean => Math.floor(choice / 2 ** open.indexOf(place)) % 2 === 1;
    // A halt of five minutes or less may be one of a row; any other break is.
    const row = places.filter((place) => minutesAt(place) > 5 || isChosen(place));
    const isShort = (at: number): boolean => at >= 0 && at < row.length && minutesAt(row[at] ?? 0) < 10;
    const counts = (place: number): boolean => {
      const at = row.indexOf(place);
      const isOfThree = [at - 2, at - 1, at].some((first) => [0, 1, 2].every((step) => isShort(first + step)));
      const minutes = minutesAt(place);
      return minutes > 5 && !isOfThree && (minutes >= 9 || isChosen(place));
    };
    return course.filter(([kind], place) => kind !== 'break' || counts(place));
  });
}
