/**
 * The least and the greatest driving time are those of all choices, each weighed by the text of the law alone:
 *
 * - Regulation (EC) No 561/2006, Article 7: after a driving period of four and a half hours a break of 45 minutes, or one
 *   of at least 15 minutes followed by one of at least 30. Case C-116/92: then the calculation begins afresh.
 * - Regulation (EU) 2024/1258: in occasional passenger services also two breaks of at least 15 minutes each (45 in all).
 * - 改善基準告示 第4条第1項第7号: driving without interruptions of about ten minutes or more each, 30 minutes in all; the
 *   circular of 2022-12-23 (基発1223第3号): below ten minutes, three in a row are none.
 */
import { describe, expect, it } from '@jest/globals';
import {
  type BreakLaw,
  type DutyPart,
  EUROPE,
  EUROPE_OCCASIONAL,
  JAPAN,
  longestDriving,
} from '../../src/reports/day/rules-breaks.js';
import { type Random, randomFrom } from '../../src/sandbox/seed/random.js';
import { chooseSeed } from '../support/seed.js';

/** Part of a certain course: driving, a break, or other work. Breaks that follow each other are one. */
type Certain = readonly [kind: 'drive' | 'break' | 'work', minutes: number];

type LawName = 'japan-2024' | 'eu-561' | 'eu-561-occasional';

/** Returns each longest driving without an interrupting break that a law allows an inspector to find. */
function longestByLaw(law: LawName, course: readonly Certain[]): readonly number[] {
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

const LAWS: Readonly<Record<LawName, BreakLaw>> = {
  'japan-2024': JAPAN,
  'eu-561': EUROPE,
  'eu-561-occasional': EUROPE_OCCASIONAL,
};
const DAYS = Number(process.env['DRIVING_DAYS'] ?? 300);
const seed = chooseSeed('driving times');

/**
 * Every certain course of a part. Idling without a place lengthens the breaks at the ends of the part or not, and is a
 * break or two in between, each after any minute of driving, or none.
 */
function coursesOf({ from, to, canRest, driving, idling = 0 }: DutyPart): readonly (readonly Certain[])[] {
  const rest: Certain[][] = canRest ? [[['break', to - from]]] : [];
  if (driving === undefined) return rest;
  const drives = [...new Set(driving)].map((minutes): Certain[] => [minutes === 0 ? ['work', 1] : ['drive', minutes]]);
  return [...rest, ...drives, ...(idling === 0 ? [] : coursesWithBreaks(driving[0], idling))];
}

function coursesWithBreaks(driving: number, idling: number): readonly (readonly Certain[])[] {
  const upTo = (most: number, step: number): number[] => Array.from({ length: most / step + 1 }, (_, at) => at * step);
  const isWithin = (minute: number): boolean => minute > 0 && minute < driving;
  const within = upTo(idling, 5).flatMap((second) =>
    upTo(driving, 1).flatMap((until) =>
      upTo(until, 1).map((after): readonly Certain[] => [
        ['drive', after],
        ['break', isWithin(after) ? idling - second : 0],
        ['drive', until - after],
        ['break', isWithin(until) && until > after ? second : 0],
        ['drive', driving - until],
      ]),
    ),
  );
  const ends = [0, idling].map((minutes): Certain => ['break', minutes]);
  return ends
    .flatMap((start) => within.flatMap((course) => ends.map((end) => [start, ...course, end])))
    .map((course) => course.filter(([, minutes]) => minutes > 0));
}

function* allCourses(parts: readonly DutyPart[]): Generator<readonly Certain[]> {
  const [first, ...others] = parts;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const course of coursesOf(first)) for (const rest of allCourses(others)) yield [...course, ...rest];
}

function byEnumeration(law: LawName, parts: readonly DutyPart[]): readonly [number, number] {
  let [least, most] = [Infinity, 0];
  for (const course of allCourses(parts)) {
    for (const minutes of longestByLaw(law, course)) {
      [least, most] = [Math.min(least, minutes), Math.max(most, minutes)];
    }
  }
  return [least, most];
}

const LENGTHS = [2, 5, 6, 8, 9, 9, 10, 12, 15, 20, 25, 30, 45];
/** Lengths beside idling, of which every division is tried in steps of five minutes. */
const ROUND_LENGTHS = [5, 10, 15, 20, 25, 30, 45];

function randomParts(random: Random, hasIdling: boolean): readonly DutyPart[] {
  const pick = <T>(items: readonly T[]): T => items[random.integer(0, items.length - 1)] as T;
  let at = 0;
  const part = (minutes: number, rest: Omit<DutyPart, 'from' | 'to'>): DutyPart => ({
    from: at,
    to: (at += minutes),
    ...rest,
  });
  const count = hasIdling ? 3 : random.integer(3, 5);
  const parts: DutyPart[] = [];
  for (let index = 0; index < count; index += 1) {
    const isIdle = hasIdling && index === 1;
    const driving = isIdle ? random.integer(1, 15) : random.integer(1, hasIdling ? 20 : 200);
    if (isIdle) {
      const idling = pick([5, 10, 15, 20, 25, 30, 35]);
      parts.push(part(driving + idling, { canRest: false, driving: [driving, driving + pick([0, idling])], idling }));
    } else parts.push(part(driving, { canRest: false, driving: [driving, driving] }));
    for (let stands = pick(hasIdling ? [1] : [1, 1, 2]); stands > 0; stands -= 1) {
      const minutes = pick(hasIdling ? ROUND_LENGTHS : LENGTHS);
      parts.push(part(minutes, { canRest: true, driving: pick([undefined, [0, minutes], [minutes, minutes]]) }));
    }
  }
  return parts;
}

describe.each(Object.keys(LAWS) as LawName[])('%s', (law) => {
  it.each([false, true])('has the limits of all choices, with idling of unknown place: %s', (hasIdling) => {
    const random = randomFrom(seed);
    for (let day = 0; day < (hasIdling ? DAYS / 10 : DAYS); day += 1) {
      const parts = randomParts(random, hasIdling);
      const [least, most] = longestDriving(parts, LAWS[law], 0);
      const found = [least.minutes, most.minutes];
      expect({ day, parts, found }).toEqual({ day, parts, found: byEnumeration(law, parts) });
    }
  });
});
