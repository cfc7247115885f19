import { type BreakLaw, type DutyPart, EUROPE, EUROPE_OCCASIONAL, JAPAN, longestDriving } from './rules-breaks.js';
import { DRIVE, GAP, PAUSE, RulesTimeline, STAND, UNPLACED, type WeighedRecord } from './rules-timeline.js';

/**
 * Driving time rules for a duty: the Japanese notice of standards for the improvement of working hours of drivers
 * (改善基準告示) of April 2024 for trucks, Regulation (EC) No 561/2006, the same with the breaks of occasional passenger
 * services (Regulation (EU) 2024/1258), or none.
 */
export type DrivingRules = 'japan-2024' | 'eu-561' | 'eu-561-occasional' | 'off';

/** Limit of a figure in minutes. */
interface Limit {
  readonly kind: 'continuous' | 'duty' | 'daily';
  /** Longer is marked △. */
  readonly usual: number;
  /** Longer is marked ▲: no exception that the data leaves open allows it. */
  readonly longest: number;
  /** Article, paragraph and point. */
  readonly source: readonly string[];
}

/** Figure of a duty over all choices of breaks; times are minutes, instants minutes since 1970. */
export interface RuledFigure extends Limit {
  readonly least: number;
  readonly most: number;
  /** Time of the greatest value. */
  readonly from: number;
  readonly to: number;
  /** True if driving before or after the record can make it longer. */
  readonly isOpen: boolean;
  /** `?`: some choices keep it within the limits, others do not. */
  readonly mark: '' | '?' | '△' | '▲';
}

/** Result of the rules for a driver. */
export interface RuledDay {
  readonly rules: Exclude<DrivingRules, 'off'>;
  readonly figures: readonly RuledFigure[];
  /** Longest stand before a departure of the day, in minutes; undefined if the driving before is not known. */
  readonly rest: { readonly least: number; readonly most: number } | undefined;
  /** Shortest pause that can count as a break, in minutes. */
  readonly shortestBreak: number;
}

interface Rule {
  readonly limits: readonly Limit[];
  readonly breaks: BreakLaw;
  /** Rest that may begin a new duty, and rest that does so for certain, in minutes. */
  readonly rest: { readonly possible: number; readonly certain: number };
  /** True if rest can be divided or be spent on a ferry within a duty, and is no part of it. */
  readonly hasRestWithinDuty: boolean;
}

const HOUR = 60;
const DAY = 24 * HOUR;

const EUROPEAN: Rule = {
  limits: [
    { kind: 'continuous', usual: 4.5 * HOUR, longest: 4.5 * HOUR, source: ['7'] },
    { kind: 'daily', usual: 9 * HOUR, longest: 10 * HOUR, source: ['6', '1'] },
  ],
  breaks: EUROPE,
  rest: { possible: 9 * HOUR, certain: 9 * HOUR },
  hasRestWithinDuty: false,
};

const RULES: Readonly<Record<RuledDay['rules'], Rule>> = {
  'japan-2024': {
    limits: [
      // 4:30 where no parking place was found.
      { kind: 'continuous', usual: 4 * HOUR, longest: 4.5 * HOUR, source: ['4', '1', '7'] },
      // 15:00, and 16:00 twice a week on long distances.
      { kind: 'duty', usual: 13 * HOUR, longest: 16 * HOUR, source: ['4', '1', '3'] },
      // Mean of two days: beyond twice the limit, no other day can make up for it.
      { kind: 'daily', usual: 9 * HOUR, longest: 18 * HOUR, source: ['4', '1', '6'] },
    ],
    breaks: JAPAN,
    // 8:00 twice a week on long distances.
    rest: { possible: 8 * HOUR, certain: 9 * HOUR },
    hasRestWithinDuty: true,
  },
  'eu-561': EUROPEAN,
  'eu-561-occasional': { ...EUROPEAN, breaks: EUROPE_OCCASIONAL },
};

/** Records of a person around a day. */
export interface DutyRecords {
  /** Begin and end of the day in minutes since 1970. */
  readonly day: { readonly from: number; readonly to: number };
  readonly records: readonly WeighedRecord[];
  /** True if the 24 hours before the day are part of the records. */
  readonly isBeforeKnown: boolean;
  /** True if the records of all mobiles of the person are there. */
  readonly isWhole: boolean;
}

/**
 * Weighs the duties of a person that reach into a day. Each figure has its least and its greatest value over all
 * choices of which stands and gaps were breaks or rest.
 *
 * @returns undefined without driving
 */
export function judgeDuty(
  rules: RuledDay['rules'],
  { day, records, isBeforeKnown, isWhole }: DutyRecords,
): RuledDay | undefined {
  const { limits, breaks, rest, hasRestWithinDuty } = RULES[rules];
  const line = new RulesTimeline(day.from, breaks.shortest, records);
  const since = day.from - line.origin;
  const most = dutiesOf(line.states, STAND, rest.certain).filter(({ to }) => to > since);
  const [first, last] = [most[0], most.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const least = dutiesOf(line.states, DRIVE, rest.possible).filter(({ to }) => to > since);
  const known = { from: isBeforeKnown ? since - DAY : since, to: day.to - line.origin };
  const continuous = longestDriving(partsOf(line, breaks.shortest), breaks, since);
  const extents: Record<Limit['kind'], readonly [least: number, most: Extent]> = {
    continuous: [continuous[0].minutes, continuous[1]],
    duty: [
      Math.max(0, ...least.map((duty) => spanOf(line, duty, hasRestWithinDuty))),
      longestOf(most.map(({ from, to }) => ({ from, to, minutes: to - from }))),
    ],
    daily: [
      Math.max(0, ...least.map((duty) => drivingOf(line, duty, DRIVE))),
      longestOf(most.map((duty) => ({ ...duty, minutes: drivingOf(line, duty, STAND) }))),
    ],
  };
  const figures = limits.map((limit): RuledFigure => {
    const [minutes, extent] = extents[limit.kind];
    const ending = limit.kind === 'continuous' ? breaks.whole : rest.certain;
    return {
      ...limit,
      least: minutes,
      most: extent.minutes,
      from: extent.from + line.origin,
      to: extent.to + line.origin,
      isOpen: !isWhole || first.from - known.from < ending || known.to - last.to < ending,
      mark: markOf(minutes, extent.minutes, limit),
    };
  });
  return { rules, figures, rest: restBefore(line.states, since, known.to), shortestBreak: breaks.shortest };
}

function markOf(least: number, most: number, { usual, longest }: Limit): RuledFigure['mark'] {
  if (least > longest) return '▲';
  if (least > usual) return '△';
  return most > usual ? '?' : '';
}

interface Extent {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
}

function longestOf(extents: readonly Extent[]): Extent {
  return extents.reduce((longest, each) => (each.minutes > longest.minutes ? each : longest));
}

/** Duty from its first to its last minute of work, exclusive; counted from the origin of the timeline. */
interface Duty {
  readonly from: number;
  to: number;
  /** Stands within it. */
  readonly stands: { readonly from: number; readonly to: number }[];
}

/** Divides the minutes with a state of `active` or more into duties, with stands of `rest` minutes between them. */
function dutiesOf(states: Uint8Array, active: number, rest: number): readonly Duty[] {
  const duties: Duty[] = [];
  for (let minute = 0; minute < states.length; minute += 1) {
    if ((states[minute] ?? PAUSE) < active) continue;
    const duty = duties.at(-1);
    if (duty === undefined || minute - duty.to >= rest) duties.push({ from: minute, to: minute + 1, stands: [] });
    else {
      if (minute > duty.to) duty.stands.push({ from: duty.to, to: minute });
      duty.to = minute + 1;
    }
  }
  return duties;
}

/** Shortest part of a rest that is divided. */
const DIVIDED_REST = 3 * HOUR;
/** Parts of a divided rest that lie within a duty; the last one follows it. */
const DIVISIONS = 2;

/** Returns the least length of a duty. */
function spanOf({ states }: RulesTimeline, { from, to, stands }: Duty, hasRestWithin: boolean): number {
  if (!hasRestWithin) return to - from;
  const lengths = stands.map((stand) => stand.to - stand.from).sort((a, b) => b - a);
  const divided = lengths.slice(0, DIVISIONS).filter((length) => length >= DIVIDED_REST);
  const shortest = divided.at(-1) ?? Infinity;
  // A crossing by ferry is rest however short.
  const ferries = stands
    .filter((stand) => stand.to - stand.from < shortest)
    .map((stand) => states.subarray(stand.from, stand.to).filter((state) => state === GAP).length);
  return to - from - sum(divided) - sum(ferries);
}

/** Returns the minutes of a duty in which a state is at least `driving`, without idling. */
function drivingOf({ states, unplaced }: RulesTimeline, { from, to }: Duty, driving: number): number {
  const isLeast = driving === DRIVE;
  const idle = [...unplaced].map(([start, { minutes, isDisputed }]) =>
    start >= from && start < to && states[start] === UNPLACED && (isLeast || !isDisputed) ? minutes : 0,
  );
  return states.subarray(from, to).filter((state) => state >= driving).length - sum(idle);
}

/** Returns the longest stand that ends with a departure between two minutes; undefined if too short for a rest. */
function restBefore(states: Uint8Array, from: number, to: number): RuledDay['rest'] {
  const longest = (active: number): number => {
    const stands = dutiesOf(states, active, Infinity).flatMap((duty) => duty.stands);
    const ending = stands.filter((stand) => stand.to >= from && stand.to < to);
    return Math.max(0, ...ending.map((stand) => stand.to - stand.from));
  };
  const least = longest(STAND);
  const most = Math.max(least, longest(DRIVE));
  return most < DIVIDED_REST ? undefined : { least, most };
}

/** Divides a timeline into parts with one choice each. Stands too short for a break join the driving around them. */
function partsOf({ states, unplaced }: RulesTimeline, shortest: number): readonly DutyPart[] {
  const parts: DutyPart[] = [];
  const end = states.findLastIndex((state) => state !== PAUSE) + 1;
  let from = states.findIndex((state) => state !== PAUSE);
  for (let to = from + 1; from < end; to += 1) {
    const state = states[from] ?? PAUSE;
    if (to < end && states[to] === state && !unplaced.has(to)) continue;
    const isWithin = from > 0 && (states[from - 1] ?? 0) >= DRIVE && (states[to] ?? 0) >= DRIVE;
    const length = to - from;
    const { minutes = 0, isDisputed = false } = (state === UNPLACED ? unplaced.get(from) : undefined) ?? {};
    const idling = Math.min(minutes, length);
    const canRest = state === PAUSE || (state < DRIVE && !(isWithin && length < shortest));
    const least = state === STAND || (state === GAP && !canRest) ? 0 : length - idling;
    const most = isDisputed ? length : length - idling;
    const last = parts.at(-1);
    const driving = state === PAUSE ? undefined : ([least, most] as const);
    if (
      last?.driving !== undefined &&
      driving !== undefined &&
      !last.canRest &&
      !canRest &&
      idling < shortest &&
      (last.idling ?? 0) < shortest
    )
      parts[parts.length - 1] = { ...last, to, driving: [last.driving[0] + least, last.driving[1] + most] };
    else parts.push({ from, to, canRest, driving, idling });
    from = to;
  }
  return parts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
