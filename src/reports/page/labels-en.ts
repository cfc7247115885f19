import type { DayTotals } from '../day/day-totals.js';
import type { DayTrip, Fault, RecordGap, Unsupported } from '../day/day-trip.js';
import type { RuledDay, RuledFigure } from '../day/driving-rules.js';
import type { LeftOut } from '../day/plausible.js';
import type { OverLimit } from '../day/speed-series.js';
import type { FormLabel } from '../form/report-form.js';
import type { CountedPage, FailureReason } from '../model.js';
import {
  average,
  distanceOf,
  drivingOf,
  grouped,
  hoursAndMinutes,
  inUnits,
  kilometers,
  speed,
} from './number-format.js';

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** All words of a report in one language; figures are the same in all. */
export type Labels = typeof ENGLISH;

const RULES: Readonly<Record<RuledDay['rules'], string>> = {
  'japan-2024': 'Improvement standards for trucks (改善基準告示), Japan, April 2024',
  'eu-561': 'Regulation (EC) No 561/2006',
  'eu-561-occasional': 'Regulation (EC) No 561/2006, occasional passenger services',
};

/** English words of a report. */
export const ENGLISH = {
  title: 'Daily driving report',
  coverTitle: 'Daily driving reports',
  continued: 'continued',
  pageOfDriver: (page: number, pages: number) => `Page ${page} of ${pages} of this driver`,
  pageOfCover: (page: number, pages: number) => `Page ${page} of ${pages} of this summary`,
  inFullHeading: 'Texts that were cut, in full',
  /** Label of the sums of the pages before. */
  carriedForward: 'Carried forward',
  /** Names of the stamp boxes. */
  stamps: ['Operations manager', 'Assistant', 'Driver'],
  /** Labels of the spaces filled in by hand. */
  form: {
    registration: 'Registration number',
    rollCall: 'Roll call, alcohol check',
    before: 'Before duty',
    after: 'After duty',
    by: 'Done by',
    time: 'Time',
    method: 'Method',
    result: 'Result',
    odometerOut: 'Odometer out',
    odometerIn: 'Odometer in',
    odometerDifference: 'Difference',
    measured: 'Measured distance',
    weather: 'Weather',
    load: 'Load',
    changeOfDriver: 'Change of driver',
    incident: 'Accident or delay',
    waypoints: 'Main points on the way',
    instructions: 'Instructions of the order',
    remarks: 'Remarks',
    rest: 'break or sleep',
    waiting: 'waiting',
    loading: 'loading',
    unloading: 'unloading',
    ancillary: 'ancillary work',
    pickup: 'place of pickup',
    consignor: 'consignor: yes / no',
    arrival: 'arr.',
    begin: 'begin',
    end: 'end',
  } satisfies Record<FormLabel, string>,
  driver: 'Driver',
  employeeCode: 'Employee code',
  mobile: 'Mobile',
  vehicle: 'Vehicle',
  organisation: 'Organisation',
  hoursAndMinutes: 'h:mm',
  distance: 'Distance',
  /** Time from first departure to last arrival: driving, idling and breaks. */
  dutySpan: 'Duty span',
  /** Driving without idling. */
  driving: 'Driving',
  idling: 'Idling',
  /** Breaks between trips. */
  breaks: 'Breaks',
  /** Time from start to end of a trip: driving and idling. */
  tripTime: 'Trip time',
  stops: 'Stops',
  overLimit: 'Over limit',
  excluded: 'Excluded',
  /** Ends of the duty span. */
  departure: 'Departure',
  return: 'Return',
  chart: 'Speed over time',
  route: 'Route',
  trips: 'Trips',
  number: 'No.',
  start: 'Start',
  end: 'End',
  total: 'Total',
  top: 'Top',
  average: 'Average',
  tripCount: 'Trips',
  limit: (kmh: number) => `Limit ${kmh}`,
  startMark: 'S',
  endMark: 'E',
  breaksHeading: 'Breaks between trips',
  place: 'Place',
  breakFrom: 'From',
  breakTo: 'To',
  breakKind: 'Kind',
  /** Mark of a pause that is long enough to be a break. */
  breakCandidate: '● break candidate',
  breakNote: (minutes: number) => `● ${minutes} minutes or longer`,
  /** Number of breaks that are not printed individually. */
  shorterBreaks: (count: number) => counted(count, 'shorter one'),
  /** Reason why time between two trips is no break. */
  gap: (gap: RecordGap) =>
    gap.kind === 'no time'
      ? '× A trip beside it lacks a time: driving not recorded'
      : `× Next trip starts ${grouped(Math.round(gap.meters / 1000))} km away: driving not recorded`,
  gaps: (count: number) => `× ${counted(count, 'gap')}: driving not recorded`,
  /** Part of the duty span that is neither driving, idling nor break. */
  unrecorded: (minutes: number) =>
    `× Duty span: ${hoursAndMinutes(minutes)} of it lies in excluded trips or was not recorded, and counts neither as driving nor as a break.`,
  addressesMissing: '× Addresses could not be looked up. Order this report again to get them.',
  driversWithoutAddresses: (count: number) => `× Addresses of ${counted(count, 'driver')} could not be looked up`,
  noTrips: 'No driving was recorded on this day.',
  noTripsDetail: (offset: string) => `The mobile reported no trip between 00:00 and 24:00 (${offset}).`,
  noSpeeds: 'No speed readings were received.',
  noPositions: 'No usable positions were received.',
  straightLine: 'Dashed: no track, straight line',
  /** Number of times. */
  times: (count: number) => `${grouped(count)}×`,
  /** Duration to the second. */
  lasting,
  /** @param times number and duration of the times over the limit */
  tripsOverLimit: (count: number, times: readonly string[]) =>
    [`▲ ${counted(count, 'trip')} over the limit`, ...times].join(', '),
  /** Readings of unknown duration. */
  readings,
  tripsExcluded: (count: number) => `× ${counted(count, 'trip')} excluded`,
  /** Reason why a trip does not count. @param other number of the conflicting trip */
  fault: (fault: Fault, other: number | undefined) =>
    `× Excluded: ${FAULTS[fault]}${other === undefined ? '' : ` trip ${other}`}.`,
  carriedOver: (day: string) => `Carried over: began on ${shortDate(day)} and counts there.`,
  driversListedTwice: (count: number) => `× ${counted(count, 'driver')} listed again`,
  countedBefore: ({ page, isSame }: CountedPage) =>
    isSame
      ? `× Excluded: the same driver is counted on page ${page}.`
      : `× The same vehicle with another driver is counted on page ${page}.`,
  sharedVehicles: (count: number) => `× ${counted(count, 'driver')} on a vehicle that is counted once`,
  /** Meanings of the marks behind a top speed or a distance. */
  topReported: '* Top speed that the vehicle reported; its track shows less.',
  topOfTrack: '† Top speed of the track; the vehicle reported less.',
  /** @param distances numbers of the trips without a distance; empty if all have one. @param idlings as `distances` */
  lacking: (distances: string, idlings: string) => {
    const parts = [distances && `distance of No. ${distances}`, idlings && `idling of No. ${idlings}`].filter(Boolean);
    return `§ Missing or cannot be true: ${parts.join('; ')}. ≥ sum without it; ≤ idling may be part of it.`;
  },
  /** @param trip number and reported figures */
  unsupported: (number: number, found: Unsupported, { hectometers, minutes, idleMinutes }: DayTrip) => {
    if (found.figure === 'distance') {
      const way = `${kilometers(found.way)} km`;
      return `No. ${number}: distance ${kilometers(hectometers)} km, ${found.isLine ? 'straight line' : 'track'} ${way}`;
    }
    if (found.figure === 'driving') {
      const driving = hoursAndMinutes((minutes ?? 0) - (idleMinutes ?? 0));
      return `No. ${number}: driving ${driving}, track at ${found.isMost ? 'most' : 'least'} ${hoursAndMinutes(found.moving)}`;
    }
    if (found.figure === 'silence') return `No. ${number}: no reading for ${hoursAndMinutes(found.minutes)}`;
    return found.figure === 'top'
      ? `No. ${number}: ${readings(found.readings)} up to ${found.kmh} km/h left out: the places beside them are too near`
      : `No. ${number}: mean of its speeds ${found.measured} km/h, of its way ${found.ofWay} km/h`;
  },
  unsupportedBy: (found: readonly string[]) => `‡ The track does not support the figure: ${found.join('; ')}.`,
  /** @param minSeconds minimum time that counts as a stretch. @param uncounted trips over the limit in no sum */
  overLimitNote: (limitKmh: number, minSeconds: number, overLimit: OverLimit, uncounted: number) => {
    const { stretches, seconds, longest, highest, readings: count } = overLimit;
    const often = `${counted(stretches, 'time')} for ${minSeconds} s or longer`;
    const known =
      stretches > 0
        ? [`${often}, longest ${lasting(longest)}, highest ${highest}`]
        : seconds > 0
          ? [`never for ${minSeconds} s or longer`]
          : [];
    const parts = [...known, ...(count > 0 ? [`${readings(count)}, for how long is not known`] : [])];
    if (uncounted > 0) parts.push(`${counted(uncounted, 'trip')} over the limit not counted here`);
    return `▲ Over ${limitKmh} km/h: ${parts.length === 0 ? 'how often is not known' : parts.join('; ')}.`;
  },
  beyondDay: '▲ h:mm: more than 24:00.',
  /** Day without its year, from `yyyy-mm-dd`. */
  shortDate,
  /** Day without its year for a narrow column. */
  tinyDate: shortDate,
  leftOut: ({ positions, speeds, times, figures }: LeftOut) => {
    const counts = { position: positions, 'speed reading': speeds, time: times, figure: figures };
    const parts = Object.entries(counts).flatMap(([noun, count]) => (count === 0 ? [] : [counted(count, noun)]));
    return `Left out because they cannot be true: ${parts.join(', ')}.`;
  },
  created: 'Created',
  timesIn: (offset: string) => `All times ${offset}`,
  /** Offsets before and after a change of the clocks, and the time that clocks show just before it. */
  offsetUntil: (before: string, time: string, after: string) => `${before} until ${time}, then ${after}`,
  /** Words before the total number of pages. */
  pageNumber: (page: number) => ['Page', String(page), 'of'],
  /** Full text of one cut above. */
  inFull: (label: string, text: string) => `${label}: ${text}`,
  /** Explanation of the stand-in for a character that no font has. */
  standIn: '〓: letters this report cannot print.',
  rules: RULES,
  /** Figure of a duty from its least to its greatest value, and how it lies to its limits. */
  ruled: ({ kind, least, most, usual, longest, source, isOpen, mark }: RuledFigure, span: string) => {
    const [first, ...parts] = source;
    const values = [...new Set([least, most])].map(hoursAndMinutes).join(' to ');
    const findings = {
      '▲': `longer than ${hoursAndMinutes(longest)}`,
      '△': `longer than ${hoursAndMinutes(usual)}, ${EXCEPTIONS[kind](longest)}${most > longest ? `; may be longer than ${hoursAndMinutes(longest)}` : ''}`,
      '?': `may be longer than ${hoursAndMinutes(most > longest ? longest : usual)}`,
      '': `not longer than ${hoursAndMinutes(usual)}${isOpen ? ' so far as recorded' : ''}`,
    };
    return `${RULED[kind]} (Art. ${first}${parts.map((part) => `(${part})`).join('')}) ${values}, ${span}: ${findings[mark]}.`;
  },
  restBefore: ({ least, most }: NonNullable<RuledDay['rest']>) =>
    `Longest stand before a departure ${[...new Set([least, most])].map(hoursAndMinutes).join(' to ')}; rest is 9:00 or longer, 11:00 where possible.`,
  /** @param hasRemarks true if the form has a box for remarks */
  rulesExplained: (rules: RuledDay['rules'], hasRemarks: boolean) =>
    'Stands within trips, gaps, short pauses and trips that somebody else may have driven count in one end of a figure ' +
    'only. Only trips are recorded: no other work, no roll call, no reason of a break. Nothing is deducted for unforeseen events ' +
    (rules === 'japan-2024' ? '(予期し得ない事象)' : '(Article 12)') +
    (hasRemarks ? ': see the remarks.' : '.'),
  otherMobiles: (mobiles: readonly string[]) =>
    `Weighed together with mobile ${mobiles.join(', ')} of the same employee code.`,
  otherUnknown: '× The record of another mobile of this employee code could not be fetched.',
  noPerson: 'The employee code is on more than eight mobiles: only this one is weighed.',
  beforeUnknown: 'The 24 hours before 00:00 are not known.',
  shared: '× This vehicle had two drivers or more. The record does not say who drove.',
  driversBeyondRules: (count: number, rules: RuledDay['rules']) =>
    `▲ ${counted(count, 'driver')} longer than a limit of ${RULES[rules]}`,
  /** @param _isInEra true for years of the Japanese era, which only Japanese has */
  date: (day: string, _isInEra: boolean) => {
    const date = Date.parse(day);
    return `${WEEKDAY.format(date)}, ${Number(day.slice(8))} ${MONTH.format(date)} ${day.slice(0, 4)}`;
  },
  drivers: 'Drivers',
  reports: 'Reports',
  notAvailable: 'Not available',
  driversOverLimit: 'Drivers over limit',
  failure: (reason: FailureReason, detail: string | undefined) =>
    `× ${FAILURES[reason]}${detail === undefined ? '' : `: ${detail}`}`,
  failedHeading: (count: number) => `${counted(count, 'report')} could not be made`,
  driversHeading: 'Drivers',
  noDrivers: 'No driver was requested.',
  noDriversDetail: 'The request named no drivers, so there is nothing to report.',
  page: 'Page',
  chartAlternative: (totals: DayTotals, limitKmh: number) =>
    `Speed over time. Top ${speed(totals.top?.kmh ?? null)} km/h, average ${average(totals.average)} km/h, ` +
    `limit ${limitKmh} km/h, ${counted(totals.tripsOverLimit, 'trip')} over the limit, ` +
    `${totals.overLimit.stretches} times, ${lasting(totals.overLimit.seconds)}.`,
  routeAlternative: (totals: DayTotals) =>
    `Route of ${counted(totals.trips, 'trip')}, ${distanceOf(totals)} km in ${drivingOf(totals)} hours.`,
};

const FAULTS: Readonly<Record<Fault, string>> = {
  incomplete: 'a time is missing or cannot be true',
  duplicate: 'the same times as',
  overlap: 'overlaps',
  'other day': 'a trip of another day',
};

const FAILURES: Readonly<Record<FailureReason, string>> = {
  'not found': 'Mobile not found',
  forbidden: 'Not allowed',
  'bad id': 'Mobile id cannot be used',
  refused: 'The service refused the request',
  unavailable: 'Driving record not available, the service did not answer',
  unreadable: 'Driving record not available, the answer of the service could not be read',
  'internal error': 'Internal error',
  'out of time': 'Not fetched, the time for this report was over',
  cancelled: 'Not fetched, this report was cancelled',
};

const RULED: Readonly<Record<RuledFigure['kind'], string>> = {
  continuous: 'At the wheel without a break',
  duty: 'On duty',
  daily: 'At the wheel in the duty',
};
const EXCEPTIONS: Readonly<Record<RuledFigure['kind'], (longest: number) => string>> = {
  continuous: (longest) => `up to ${hoursAndMinutes(longest)} where no parking place was found`,
  duty: (longest) => `up to 15:00, and ${hoursAndMinutes(longest)} twice a week on long distances`,
  daily: (longest) =>
    longest > 12 * 60 ? 'the mean of two days counts' : `up to ${hoursAndMinutes(longest)} twice a week`,
};

function lasting(seconds: number): string {
  return inUnits(seconds, [' h', ' min', ' s'], ' ');
}

function readings(count: number): string {
  return counted(count, 'reading');
}

function shortDate(day: string): string {
  return `${Number(day.slice(8, 10))} ${MONTH.format(Date.parse(day)).slice(0, 3)}`;
}

/** Formats a number with its noun, in the plural unless it is 1. */
function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
