/** Part of a duty between two minutes. A break is a choice, and so is driving. */
export interface DutyPart {
  readonly from: number;
  readonly to: number;
  /** True if the part can be a break. */
  readonly canRest: boolean;
  /** Minutes of driving if it is none, at least and at most; undefined if it is a break for certain. */
  readonly driving: readonly [least: number, most: number] | undefined;
  /** Idling at an unknown place within the part, in minutes, which may be breaks; driving is then less. */
  readonly idling?: number;
}

/** Driving without an interrupting break. */
export interface DrivingPeriod {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
}

/** State of the breaks taken since driving began, and whether the last one interrupts the driving. */
type Taken = readonly [state: number, interrupts: boolean];

/** Breaks of a law. */
export interface BreakLaw {
  /** Breaks that interrupt driving: the whole time, in minutes. */
  readonly whole: number;
  /** Shortest time that can count as a break, in minutes. */
  readonly shortest: number;
  /** Returns all states that may follow a break; none if an earlier choice proves impossible. The first state is 0. */
  readonly take: (state: number, minutes: number) => readonly Taken[];
  /** True if breaks may end in a state. */
  readonly isFinal: (state: number) => boolean;
}

/**
 * Breaks of Japan: 30 minutes in all, of about ten minutes each. Ten are a break, nine are about ten, six to eight may
 * be; below ten three in a row are none. A halt of five or less is no break, and may be one of a row.
 */
export const JAPAN: BreakLaw = {
  whole: 30,
  shortest: 6,
  take: (state, minutes) => {
    const [sum, row] = [Math.floor(state / ROWS), state % ROWS];
    const uncounted = (next: number): Taken => [sum * ROWS + next, false];
    const counted = (next: number): Taken =>
      sum + minutes >= JAPAN.whole ? [next, true] : [(sum + minutes) * ROWS + next, false];
    if (minutes >= 10) return isOpenRow(row) ? [] : [counted(0)];
    const taken: Taken[] = minutes < JAPAN.shortest ? [uncounted(row)] : [];
    // The row stays below three: its breaks count.
    if (row < 2) {
      if (minutes >= JAPAN.shortest) taken.push(counted(row + 1));
      if (minutes < 9) taken.push(uncounted(row + 1));
    }
    // The row becomes three or longer: none of it counts.
    if (row === 0 || row >= FIRST_OF_LONG)
      taken.push(uncounted(row === 0 ? FIRST_OF_LONG : Math.min(row + 1, ROWS - 1)));
    return taken;
  },
  isFinal: (state) => !isOpenRow(state % ROWS),
};

/** Breaks below ten minutes in a row: none, 1, 2; or, if the row is to become long, 1, 2, and three or more. */
const ROWS = 6;
const FIRST_OF_LONG = 3;
const isOpenRow = (row: number): boolean => row === FIRST_OF_LONG || row === FIRST_OF_LONG + 1;

/** Regulation (EC) No 561/2006, Article 7: 45 minutes, or 15 and then 30. */
export const EUROPE: BreakLaw = {
  whole: 45,
  shortest: 15,
  take: (state, minutes) => {
    if (minutes >= 45 || (minutes >= 30 && state > 0)) return [[0, true]];
    return [[Math.max(state, minutes >= 15 ? 15 : 0), false]];
  },
  isFinal: () => true,
};

/** The same as amended by Regulation (EU) 2024/1258: also two breaks of 15 minutes or more that make 45. */
export const EUROPE_OCCASIONAL: BreakLaw = {
  ...EUROPE,
  take: (state, minutes) => {
    if (minutes < 15) return [[state, false]];
    return [minutes >= 45 || (state > 0 && state + minutes >= 45) ? [0, true] : [Math.max(state, minutes), false]];
  },
};

/** Choice of breaks up to an instant. */
interface Way {
  readonly state: number;
  /** Minutes of the break under way, as far as they matter. */
  readonly resting: number;
  /** Driving since the last interrupting break. */
  readonly driven: number;
  readonly from: number;
  /** Longest period so far. */
  readonly longest: DrivingPeriod;
}

/** Breaks of this length or longer are breaks without more ado. */
const MOST_ABOUT_TEN = 10;
const STATES = JAPAN.whole * ROWS;
const NONE: DrivingPeriod = { from: 0, to: 0, minutes: 0 };

/**
 * Returns the longest driving without an interrupting break over all choices of breaks: the least and the greatest
 * value. Driving counts anew as soon as the breaks taken make an interrupting one.
 *
 * @param scenarios of parts, one for each choice of trips
 * @param since minute; only driving that ends later counts
 */
export function longestDriving(
  scenarios: readonly (readonly DutyPart[])[],
  law: BreakLaw,
  since: number,
): readonly [least: number, most: DrivingPeriod] {
  const most = longestOf(scenarios.flatMap((parts) => bestWay(parts, law, since, undefined) ?? []));
  let [least, impossible] = [most.minutes, -1];
  while (least - impossible > 1) {
    const bound = Math.floor((least + impossible) / 2);
    let found: DrivingPeriod | undefined;
    for (const parts of scenarios) found ??= bestWay(parts, law, since, bound);
    if (found === undefined) impossible = bound;
    else least = found.minutes;
  }
  return [least, most];
}

/**
 * Returns the greatest longest driving of all choices of breaks or, with `bound`, the least one of those in which none
 * is longer than that; undefined without any. Whatever follows adds the same to all choices with the same breaks since
 * driving began, so one stands for all: the one that has driven least; or the most driven and the longest driving of
 * them all.
 */
function bestWay(
  parts: readonly DutyPart[],
  law: BreakLaw,
  since: number,
  bound: number | undefined,
): DrivingPeriod | undefined {
  const isLeast = bound !== undefined;
  let ways = new Map<number, Way>([[0, { state: 0, resting: 0, driven: 0, from: 0, longest: NONE }]]);
  for (const part of parts) {
    const next = new Map<number, Way>();
    const add = (way: Way): void => {
      if (isLeast && way.longest.minutes > bound) return;
      const key = way.resting * STATES + way.state;
      const known = next.get(key);
      if (known === undefined) next.set(key, way);
      else if (isLeast) next.set(key, way.driven < known.driven ? way : known);
      else next.set(key, { ...(way.driven > known.driven ? way : known), longest: longer(known.longest, way.longest) });
    };
    const { from, to, driving, canRest, idling = 0 } = part;
    const drive = (way: Way, minutes: number): Way => {
      const period = { from: way.driven === 0 ? from : way.from, to, minutes: way.driven + minutes };
      const longest = to > since ? longer(way.longest, period) : way.longest;
      return { ...way, driven: period.minutes, from: period.from, longest };
    };
    for (const way of ways.values()) {
      const rested = (before: Way, minutes: number): Way => ({
        ...before,
        resting: Math.min(before.resting + minutes, law.whole),
      });
      if (canRest) add(rested(way, to - from));
      if (driving === undefined) continue;
      for (const ended of endBreak(way, law)) add(drive(ended, driving[isLeast ? 0 : 1]));
      if (idling === 0) continue;
      // Idling of unknown place lengthens the breaks at both ends, and may be breaks in between.
      // A part of it may make the break before count without interrupting the driving.
      let share = idling;
      while (share > 0 && endBreak(rested(way, share), law).every(({ driven }) => driven === 0)) share -= 1;
      const begun = [...new Set([0, share, idling])].flatMap((minutes) => endBreak(rested(way, minutes), law));
      const driven = begun.flatMap((each) => [
        drive(each, driving[0]),
        ...(isLeast
          ? breaksWithin(each, driving[0], idling, bound, law, drive)
          : shortBreaks(each, Math.min(idling, 3 * law.shortest), law).map((taken) => drive(taken, driving[1]))),
      ]);
      for (const each of driven) {
        add(each);
        add(rested(each, idling));
      }
    }
    ways = next;
  }
  const ended = [...ways.values()].flatMap((way) => endBreak(way, law)).filter(({ state }) => law.isFinal(state));
  const lengths = ended.map(({ longest }) => longest).sort((a, b) => (isLeast ? 1 : -1) * (a.minutes - b.minutes));
  return lengths[0];
}

function longer(one: DrivingPeriod, other: DrivingPeriod): DrivingPeriod {
  return other.minutes > one.minutes ? other : one;
}

/** Returns the first of the longest periods; one of no minutes without any. */
export function longestOf(periods: readonly DrivingPeriod[]): DrivingPeriod {
  return periods.reduce(longer, periods[0] ?? NONE);
}

/** Returns the ways on which idling is spent on breaks, each as soon as the driving reaches `until` minutes. */
function breaksWithin(
  begun: Way,
  driving: number,
  idling: number,
  until: number,
  law: BreakLaw,
  drive: (way: Way, minutes: number) => Way,
): readonly Way[] {
  const ways: Way[] = [];
  let [way, left, idle] = [begun, driving, idling];
  while (idle >= law.shortest && left > 1) {
    const interruptedBy = (minutes: number): Taken | undefined =>
      law.take(way.state, minutes).find(([, interrupts]) => interrupts);
    for (const [state, interrupts] of law.take(way.state, idle)) {
      if (!interrupts) ways.push(drive({ ...way, state }, left));
    }
    let minutes = Math.min(idle, MOST_ABOUT_TEN);
    while (minutes < idle && interruptedBy(minutes) === undefined) minutes += 1;
    const taken = interruptedBy(minutes);
    if (taken === undefined) return ways;
    const before = Math.min(left - 1, Math.max(1, until - way.driven));
    way = { ...drive(way, before), state: taken[0], driven: 0 };
    [left, idle] = [left - before, idle - minutes];
    ways.push(drive(way, left));
  }
  return ways;
}

/** Returns the ways on which idling is spent on the shortest breaks, which may be of a row of which none counts. */
function shortBreaks(way: Way, idling: number, law: BreakLaw): readonly Way[] {
  if (idling < law.shortest) return [];
  return law.take(way.state, law.shortest).flatMap(([state, interrupts]) => {
    const taken = { ...way, state };
    return interrupts ? [] : [taken, ...shortBreaks(taken, idling - law.shortest, law)];
  });
}

/** Returns the way with its break under way ended: it counts, or does not, as the law says. */
function endBreak(way: Way, { take }: BreakLaw): readonly Way[] {
  if (way.resting === 0) return [way];
  return take(way.state, way.resting).map(([state, interrupts]) => ({
    ...way,
    state,
    resting: 0,
    driven: interrupts ? 0 : way.driven,
  }));
}
