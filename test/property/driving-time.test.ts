/**
 * The least and the greatest figures of a day are those of all choices, each weighed by the text of the law alone:
 *
 * - Regulation (EC) No 561/2006, Article 7: after a driving period of four and a half hours a break of 45 minutes, or one
 *   of at least 15 minutes followed by one of at least 30. Case C-116/92: then the calculation begins afresh. Articles 6
 *   and 8: driving between two daily rests, which are nine hours at least.
 * - Regulation (EU) 2024/1258: in occasional passenger services also two breaks of at least 15 minutes each (45 in all).
 * - 改善基準告示 第4条第1項第7号: driving without interruptions of about ten minutes or more each, 30 minutes in all; the
 *   circular of 2022-12-23 (基発1223第3号): below ten minutes, three in a row are none. A rest is nine hours, or eight;
 *   up to two parts of three hours or more within a duty, and a crossing by ferry, are rest too.
 */
import { describe, expect, it } from '@jest/globals';
import { drivingDay } from '../../src/reports/day/report-date.js';
import { weighPerson } from '../../src/reports/day/weighed-person.js';
import type { ReportedTrip } from '../../src/reports/model.js';
import { type Random, randomFrom } from '../../src/sandbox/seed/random.js';
import { readDriverDay } from '../support/sample-report.js';
import { chooseSeed } from '../support/seed.js';

/**
 * Part of a certain course: driving, a break, one that may be a crossing by ferry, or other work. Breaks that follow
 * each other are one, with its minutes on a ferry.
 */
type Certain = readonly [kind: 'drive' | 'break' | 'ferry' | 'work', minutes: number, ferry?: number];

type LawName = 'japan-2024' | 'eu-561' | 'eu-561-occasional';

type Figures = Readonly<Partial<Record<'continuous' | 'duty' | 'daily', readonly number[]>>>;

/** Returns each value of the figures that a law allows an inspector to find. @param from minute of the day */
function figuresByLaw(law: LawName, course: readonly Certain[], from: number): Figures {
  const joined: Certain[] = [];
  for (const [kind, minutes] of course) {
    const last = joined.at(-1);
    const ferry = kind === 'ferry' ? minutes : 0;
    if (kind === 'drive' || kind === 'work') joined.push([kind, minutes]);
    else if (last?.[0] === 'break') joined[joined.length - 1] = ['break', last[1] + minutes, (last[2] ?? 0) + ferry];
    else joined.push(['break', minutes, ferry]);
  }
  if (law !== 'japan-2024') {
    const duties = dutiesOf(joined, from, 9 * 60);
    const continuous = [longest(joined, from, law === 'eu-561' ? makesFortyFive : makesFortyFiveInTwo)];
    return { continuous, daily: [greatest(duties.map(drivingIn))] };
  }
  const duties = [8, 9].map((hours) => dutiesOf(joined, from, hours * 60));
  return {
    continuous: readingsOfBreaks(joined).map((read) => longest(read, from, makesThirty)),
    duty: duties.flatMap((each) => [greatest(each.map(spanOf)), greatest(each.map(spanWithoutRest))]),
    daily: duties.map((each) => greatest(each.map(drivingIn))),
  };
}

const greatest = (values: readonly number[]): number => Math.max(0, ...values);
const minutesIn = (course: readonly Certain[], ...kinds: readonly Certain[0][]): number =>
  course.reduce((sum, [kind, minutes]) => sum + (kinds.includes(kind) ? minutes : 0), 0);
const drivingIn = (duty: readonly Certain[]): number => minutesIn(duty, 'drive');
const spanOf = (duty: readonly Certain[]): number => minutesIn(duty, 'drive', 'work', 'break');

function spanWithoutRest(duty: readonly Certain[]): number {
  const breaks = duty.filter(([kind]) => kind === 'break');
  const ferries = breaks.reduce((sum, [, , ferry = 0]) => sum + ferry, 0);
  const parts = breaks.map(([, minutes, ferry = 0]) => (minutes >= 3 * 60 ? minutes - ferry : 0));
  const pairs = parts.flatMap((one, index) => parts.map((other, at) => (at === index ? one : one + other)));
  return spanOf(duty) - ferries - greatest(pairs);
}

/** Returns the duties that end after midnight, each from its first to its last work. */
function dutiesOf(course: readonly Certain[], from: number, rest: number): readonly (readonly Certain[])[] {
  const duties: Certain[][] = [];
  let [duty, pause]: [Certain[], Certain | undefined] = [[], undefined];
  let now = from;
  for (const part of course) {
    now += part[1];
    if (part[0] === 'break') pause = part;
    else {
      if (pause !== undefined && pause[1] >= rest) duty = [];
      else if (pause !== undefined && duty.length > 0) duty.push(pause);
      duty.push(part);
      pause = undefined;
      if (now > 0 && !duties.includes(duty)) duties.push(duty);
    }
  }
  return duties;
}

function longest(course: readonly Certain[], from: number, interrupts: (breaks: readonly number[]) => boolean): number {
  let [most, driven, now] = [0, 0, from];
  let breaks: number[] = [];
  for (const [kind, minutes] of course) {
    now += minutes;
    if (kind === 'drive') driven += minutes;
    if (kind === 'drive' && now > 0) most = Math.max(most, driven);
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
    return course.map((part, place): Certain => (part[0] !== 'break' || counts(place) ? part : ['work', part[1]]));
  });
}

const DAYS = Number(process.env['DRIVING_DAYS'] ?? 200);
const seed = chooseSeed('driving times');
const DAY = drivingDay('2024-05-17T09:00:00+09:00');
const MIDNIGHT = Date.parse(DAY.from);
const LIMIT = { limitKmh: 80, minSeconds: 10 };

/** Part of a day as it is recorded. A trip of the time before midnight has one part. */
type Recorded = 'drive' | 'stand' | 'silence' | 'pause' | 'gap' | 'before';

/** Shortest breaks of Europe, where standing is no driving: a tachograph records none. */
const EUROPEAN = 15;

/** Returns what a part may have been. A halt in traffic is too short for a break. */
function choicesOf(kind: Recorded, minutes: number, shortest: number): readonly Certain[0][] {
  if (kind === 'stand' && shortest === EUROPEAN) return minutes < shortest ? ['work'] : ['break', 'work'];
  if (kind === 'stand' && minutes < shortest) return ['work', 'drive'];
  const all = { drive: ['drive'], pause: ['break'], gap: ['ferry', 'drive'], silence: ['ferry', 'drive'] } as const;
  return kind === 'stand' || kind === 'before' ? ['break', 'work', 'drive'] : all[kind];
}

function* allCourses(parts: readonly (readonly (readonly Certain[])[])[]): Generator<readonly Certain[]> {
  const [first, ...others] = parts;
  if (first === undefined) yield [];
  else for (const course of first) for (const rest of allCourses(others)) yield [...course, ...rest];
}

/** Returns the least and the greatest value of each figure over all courses. */
function byEnumeration(law: LawName, courses: Iterable<readonly Certain[]>, from: number): Figures {
  const found: Record<string, [number, number]> = {};
  for (const course of courses) {
    for (const [kind, values] of Object.entries(figuresByLaw(law, course, from))) {
      const [least, most] = (found[kind] ??= [Infinity, 0]);
      found[kind] = [Math.min(least, ...values), Math.max(most, ...values)];
    }
  }
  return found;
}

const LENGTHS = [2, 5, 6, 8, 9, 9, 10, 12, 15, 20, 25, 30, 45, 190, 500, 560];

const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(0, items.length - 1)] as T;

/** A trip with a reading a minute, to and fro while it drives, or without a track; its parts follow each other. */
function tripOf(parts: readonly [Recorded, number][], from: number, lat: number, idle?: number): ReportedTrip {
  const point = (minute: number) => ({ lat, lng: 139, time: new Date(MIDNIGHT + minute * 60_000).toISOString() });
  const track = [{ ...point(from), speedKmh: 50 }];
  let [now, meters] = [from, 0];
  for (const [kind, minutes] of parts) {
    if (kind === 'stand') Object.assign(track.at(-1) ?? {}, { speedKmh: 0 });
    for (let after = kind === 'silence' ? minutes : 1; after <= minutes; after += 1) {
      const last = track.at(-1)?.lng ?? 139;
      const lng = kind === 'stand' ? last : last > 139 ? 139 : 139.01;
      track.push({ ...point(now + after), lng, speedKmh: kind === 'stand' ? 0 : 50 });
    }
    now += minutes;
    meters += kind === 'drive' ? 800 * minutes : 0;
  }
  const figures = { distanceMeters: meters, stopCount: 0, maxSpeedKmh: 50, idleSeconds: (idle ?? 0) * 60 };
  return { start: point(from), end: point(now), ...figures, track: idle === undefined ? track : [] };
}

/** A person's trips on one or two mobiles from a minute on, and what is recorded of the time. */
function randomDay(random: Random) {
  const from = pick(random, [-600, -250, -100, 30, 400]);
  const hasTwo = random.chance(0.3);
  const recorded: [Recorded, number][] = [];
  const trips: { readonly trip: ReportedTrip; readonly mobile: number }[] = [];
  let [now, lat, open] = [from, 35, 0];
  do {
    const parts: [Recorded, number][] = [['drive', random.integer(1, 150)]];
    while (open < 4 && random.chance(0.4)) {
      const kind = pick(random, ['stand', 'silence'] as const);
      parts.push([kind, pick(random, kind === 'stand' ? [3, 6, 9, 15, 30, 45] : [8, 9, 10, 30, 45])]);
      parts.push(['drive', random.integer(2, 100)]);
      open += 1;
    }
    const minutes = parts.reduce((sum, part) => sum + part[1], 0);
    trips.push({ trip: tripOf(parts, now, lat), mobile: hasTwo ? trips.length % 2 : 0 });
    now += minutes;
    recorded.push(...(now <= 0 ? [['before', minutes] satisfies [Recorded, number]] : parts));
    if (now <= 0) open += 1;
    const isGap = !hasTwo && now > 0 && open < 4 && random.chance(0.3);
    if (isGap) [lat, open] = [lat + 0.02, open + 1];
    const pause = now <= 0 && open > 1 ? random.integer(1, 60) - now : pick(random, LENGTHS);
    recorded.push([isGap ? 'gap' : 'pause', pause]);
    now += pause;
  } while (now < 0 || (now < 1_000 && trips.length < 6));
  const last = random.integer(1, 90);
  if (now < 1_440) {
    trips.push({ trip: tripOf([['drive', last]], now, lat), mobile: 0 });
    recorded.push(['drive', last]);
  } else recorded.pop();
  return { from, trips, recorded };
}

function found(law: LawName, trips: ReturnType<typeof randomDay>['trips']): Figures {
  const driver = { mobileId: '0', employeeCode: 'E1', employeeName: 'Driver' };
  const of = (mobile: number, isToday: boolean): ReportedTrip[] =>
    trips.flatMap(({ trip, mobile: each }) =>
      each === mobile && Date.parse(trip.start.time) >= MIDNIGHT === isToday ? [trip] : [],
    );
  const mobiles = [0, 1, 2].map((mobile) => {
    return { mobileId: `${mobile}`, trips: of(mobile, true), before: of(mobile, false), isShared: false };
  });
  const own = of(0, true).map((trip) => ({ ...trip, startAddress: null, endAddress: null }));
  const facts = { kind: 'day', driver, weighed: { mobiles, isNoPerson: false } } as const;
  const { figures = [] } = weighPerson(law, facts, readDriverDay(own, DAY, LIMIT), DAY, LIMIT) ?? {};
  return Object.fromEntries(
    figures.flatMap(({ kind, least, most }) => (kind === 'rest' ? [] : [[kind, [least, most]]])),
  );
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the choices of spans of which none overlaps another, and to which no other one can be added. */
function together<Each extends Span>(spans: readonly Each[]): readonly (readonly Each[])[] {
  const overlap = (one: Each, other: Each): boolean => one !== other && one.from < other.to && other.from < one.to;
  const choices = Array.from({ length: 2 ** spans.length }, (_, choice) =>
    spans.filter((_span, index) => Math.floor(choice / 2 ** index) % 2 === 1),
  );
  return choices.filter((kept) =>
    spans.every((each) => kept.includes(each) !== kept.some((one) => overlap(one, each))),
  );
}

/** Returns the courses of each part of a day with trips of which some were driven, and nothing is known of the others. */
function coursesOf(spans: readonly Span[], kept: readonly Span[]): (readonly (readonly Certain[])[])[] {
  const edges = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const parts: [kind: Recorded, minutes: number][] = [];
  edges.slice(1).forEach((to, index) => {
    const from = edges[index] ?? to;
    const isWithin = (span: Span): boolean => span.from <= from && to <= span.to;
    const kind = kept.some(isWithin) ? 'drive' : spans.some(isWithin) ? 'gap' : 'pause';
    const last = parts.at(-1);
    if (last?.[0] === kind) last[1] += to - from;
    else parts.push([kind, to - from]);
  });
  return parts.map(([kind, minutes]) => choicesOf(kind, minutes, 0).map((choice): Certain[] => [[choice, minutes]]));
}

/** Courses of a trip that idles: it lengthens the breaks at both ends, and is a break or two in between, or none. */
function* coursesWithIdling(driving: number, idling: number, shortest: number): Generator<readonly Certain[]> {
  const upTo = (most: number): number[] => Array.from({ length: most / 3 + 1 }, (_, at) => at * 3);
  for (const [first, one, other] of upTo(idling).flatMap((start) =>
    upTo(idling - start).flatMap((in1) => upTo(idling - start - in1).map((in2) => [start, in1, in2] as const)),
  ))
    for (let until = 1; until < driving; until += 1)
      for (let after = 1; after <= until; after += 1) {
        // Idling between driving is no break if it is too short for one.
        const within = (minutes: number): Certain => [minutes < shortest ? 'work' : 'break', minutes];
        const course: Certain[] = [
          ['break', first],
          ['drive', after],
          within(one),
          ['drive', until - after],
          within(other),
          ['drive', driving - until],
          ['break', idling - first - one - other],
        ];
        yield course.filter(([, minutes]) => minutes > 0);
      }
}

describe.each<LawName>(['japan-2024', 'eu-561', 'eu-561-occasional'])('the rules %s', (law) => {
  it('have the limits of all choices', () => {
    const random = randomFrom(seed);
    for (let round = 0; round < DAYS; round += 1) {
      const { from, trips, recorded } = randomDay(random);
      const shortest = law === 'japan-2024' ? 6 : EUROPEAN;
      const parts = recorded.map(([kind, minutes]) =>
        choicesOf(kind, minutes, shortest).map((choice): Certain[] => [[choice, minutes]]),
      );
      const figures = byEnumeration(law, allCourses(parts), from);
      expect({ round, recorded, figures: found(law, trips) }).toEqual({ round, recorded, figures });
    }
  });

  it('take of trips that overlap as many as one person can have driven', () => {
    const random = randomFrom(seed);
    for (let round = 0; round < DAYS; round += 1) {
      const trips = Array.from({ length: random.integer(2, 4) }, (_, index) => {
        const [from, minutes] = [400 + 4 * random.integer(0, 125) + index, pick(random, [8, 40, 100, 250, 300])];
        return { from, to: from + minutes, mobile: random.integer(0, 2), trip: tripOf([['drive', minutes]], from, 35) };
      });
      const choices = together(trips);
      const figures = byEnumeration(
        law,
        choices.flatMap((kept) => [...allCourses(coursesOf(trips, kept))]),
        Math.min(...trips.map(({ from }) => from)),
      );
      const times = trips.map(({ from, to, mobile }) => [mobile, from, to]);
      expect({ round, times, figures: found(law, trips) }).toEqual({ round, times, figures });
    }
  });

  it('enclose all choices of where a trip idled', () => {
    const random = randomFrom(seed);
    for (let round = 0; round < DAYS / 4; round += 1) {
      const drives = [20, 20, 7, 20].map((most) => random.integer(2, most));
      const breaks = [1, 2, 3].map(() => pick(random, [5, 7, 8, 9, 9, 10, 12, 15, 21, 30]));
      const idling = 3 * random.integer(1, 10);
      let now = 400;
      const trips = drives.map((minutes, index) => {
        const idle = index === 2 ? idling : 0;
        const trip = tripOf([['drive', minutes + idle]], now, 35, index === 2 ? idle : undefined);
        now += minutes + idle + (breaks[index] ?? 0);
        return { trip, mobile: 0 };
      });
      const [one = 0, two = 0, driving = 0, last = 0] = drives;
      const [first = 0, before = 0, behind = 0] = breaks;
      const begin: Certain[] = [
        ['drive', one],
        ['break', first],
        ['drive', two],
        ['break', before],
      ];
      const end: Certain[] = [
        ['break', behind],
        ['drive', last],
      ];
      const idles = [...coursesWithIdling(driving, idling, law === 'japan-2024' ? 6 : 15)];
      const { continuous: [least = 0, most = Infinity] = [] } = byEnumeration(
        law,
        allCourses([[begin], idles, [end]]),
        400,
      );
      const { continuous: [from = Infinity, to = 0] = [] } = found(law, trips);
      const day = { round, drives, breaks, idling, from, to };
      expect({ ...day, from: Math.min(from, least), to: Math.max(to, most) }).toEqual(day);
    }
  });
});
