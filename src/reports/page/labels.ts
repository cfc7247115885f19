import type { ReportLocale } from '../../base/config/config.js';
import type { DayTrip, Unsupported } from '../day/day-trip.js';
import type { RuledFigure } from '../day/driving-rules.js';
import type { OverLimit } from '../day/speed-series.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import { EN, type Words } from './labels/en.js';
import { JA } from './labels/ja.js';
import { distanceOf, hoursAndMinutes, kilometers } from './number-format.js';

/** Words of a report in one language, and the sentences that are made of them alike in all. */
export type Labels = ReturnType<typeof labelsOf>;

/** Labels by language: each language is a file of words and a row. */
export const LABELS: Readonly<Record<ReportLocale, Labels>> = { en: labelsOf(EN), ja: labelsOf(JA) };

const HOUR = 60;

function labelsOf(words: Words) {
  return {
    ...words,
    /** Returns what the record says against a figure of a trip. @param trip its reported figures */
    unsupported: (number: number, found: Unsupported, trip: DayTrip): string =>
      words.doubt.of(number, doubtOf(words, found, trip)),
    /** @param minSeconds minimum time that counts as a stretch. @param uncounted trips over the limit in no sum */
    overLimitNote: (limitKmh: number, minSeconds: number, overLimit: OverLimit, uncounted: number): string => {
      const { over, lasting, readings } = words;
      const { stretches, seconds, longest, highest, readings: count } = overLimit;
      const parts: string[] = [];
      if (stretches > 0) parts.push(over.stretches(stretches, minSeconds, lasting(longest), highest));
      else if (seconds > 0) parts.push(over.noStretch(minSeconds));
      if (count > 0) parts.push(over.readings(readings(count)));
      if (uncounted > 0) parts.push(over.uncounted(uncounted));
      return over.whole(limitKmh, parts);
    },
    /** Figure of a duty from its least to its greatest value, and how it lies to its limits. */
    ruled: (figure: RuledFigure, span: string, way: WeighedPerson['way']): string => {
      const { ruling } = words;
      const { kind, least, most, longest, source } = figure;
      const isRest = kind === 'rest';
      const range =
        most === Infinity
          ? ruling.atLeast(hoursAndMinutes(least))
          : ruling.range([...new Set([least, most])].map(hoursAndMinutes));
      const guide = isRest && longest < 9 * HOUR ? ruling.guide : '';
      const finding = findingOf(words, figure, way) + guide;
      return ruling.whole(ruling.figures[kind], ruling.article(source), range, isRest ? undefined : span, finding);
    },
  };
}

function doubtOf(
  { doubt, readings }: Words,
  found: Unsupported,
  { hectometers, minutes, idleMinutes }: DayTrip,
): string {
  const driving = hoursAndMinutes((minutes ?? 0) - (idleMinutes ?? 0));
  const distance = kilometers(hectometers);
  switch (found.figure) {
    case 'distance':
      return doubt.distance(distance, kilometers(found.way), found.isLine);
    case 'driving':
      return doubt.driving(driving, hoursAndMinutes(found.moving), found.isMost);
    case 'slow':
      return doubt.slow(driving, hoursAndMinutes(found.moving), distance);
    case 'parked':
      return doubt.parked(hoursAndMinutes(found.minutes), found.kmh);
    case 'carried':
      return doubt.carried(hoursAndMinutes(found.minutes), kilometers(found.way));
    case 'silence':
      return doubt.silence(hoursAndMinutes(found.minutes));
    case 'top':
      return doubt.top(readings(found.readings), found.kmh);
    case 'speeds':
      return doubt.speeds(found.measured, found.ofWay);
  }
}

/** Returns how a figure of the rules lies to its limits. */
function findingOf(
  { ruling }: Words,
  { kind, least, most, usual, longest, isOpen, isOfGap, mean, mark }: RuledFigure,
  { totals, away = Infinity }: WeighedPerson['way'],
): string {
  const isRest = kind === 'rest';
  const [long, short] = [hoursAndMinutes(longest), hoursAndMinutes(usual)];
  const means = mean === undefined ? undefined : hoursAndMinutes(mean);
  const isWorse = isRest ? least < longest : most > longest;
  const maybe = (limit: string): string => ruling.maybe(ruling.beyond(limit, isRest));
  switch (mark) {
    case '▲':
      return ruling.beyond(long, isRest);
    case '△': {
      const exceptions = {
        continuous: () => ruling.noParking(long),
        duty: () => ruling.duty + (most > 15 * HOUR ? ruling.far(long, distanceOf(totals), away < 1_000) : ''),
        daily: () => (longest > 12 * HOUR ? ruling.mean(means) : ruling.twiceAWeek(long)),
        rest: () => (longest < 9 * HOUR ? ruling.longDistance(long) : ruling.betweenWeeklyRests(long)),
      };
      const open = isWorse ? maybe(long) : undefined;
      return ruling.exceptionally(ruling.beyond(short, isRest), exceptions[kind](), open);
    }
    case '?':
      return maybe(isWorse ? long : short) + (isOfGap ? ruling.ofGap : '');
    case '':
      if (means !== undefined && most > usual) return ruling.withinMean(means);
      return isOpen && !isRest ? ruling.withinRecord(short) : ruling.within(short, isRest);
  }
}
