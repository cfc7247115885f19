import type { DayTotals } from '../../day/day-totals.js';
import type { DayBreak, RecordGap, TimeFault } from '../../day/day-trip.js';
import type { RuledFigure } from '../../day/driving-rules.js';
import type { LeftOut } from '../../day/plausible.js';
import type { WeighedPerson } from '../../day/weighed-person.js';
import type { CountedPage, FailureReason } from '../../model.js';
import type { FormLabel } from '../../report-form.js';
import {
  average,
  distanceOf,
  drivingText,
  grouped,
  hoursAndMinutes,
  inUnits,
  kilometers,
  speed,
} from '../number-format.js';

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** Formats a number with its noun, in the plural unless it is 1. */
function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const lasting = (seconds: number): string => inUnits(seconds, [' h', ' min', ' s'], ' ');
const shortDate = (day: string): string => `${Number(day.slice(8, 10))} ${MONTH.format(Date.parse(day)).slice(0, 3)}`;

const faults: Readonly<Record<TimeFault, string>> = {
  incomplete: 'a time is missing or cannot be true',
  duplicate: 'the same times as',
  overlap: 'overlaps',
  'other day': 'a trip of another day',
};
const failures: Readonly<Record<FailureReason, string>> = {
  'not found': 'Mobile not found',
  forbidden: 'Not allowed',
  'day not begun': 'The day had not begun',
  'bad id': 'Mobile id cannot be used',
  refused: 'The service refused the request',
  unavailable: 'Driving record not available, the service did not answer',
  unreadable: 'Driving record not available, the answer of the service could not be read',
  'internal error': 'Internal error',
  'out of time': 'Not fetched, the time for this report was over',
  cancelled: 'Not fetched, this report was cancelled',
};
const rules: Readonly<Record<WeighedPerson['rules'], string>> = {
  'japan-2024': 'Improvement standards for trucks (改善基準告示), Japan, April 2024',
  'eu-561': 'Regulation (EC) No 561/2006',
  'eu-561-occasional': 'Regulation (EC) No 561/2006, occasional passenger services',
};
const ruledFigures: Readonly<Record<RuledFigure['kind'], string>> = {
  continuous: 'At the wheel without a break',
  duty: 'On duty',
  daily: 'At the wheel in the duty',
  rest: 'Rest',
};

const form: Readonly<Record<FormLabel, string>> = {
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
};

/** Words of a report in English. Every other language has the same, with the types of these. */
export const EN = {
  title: 'Daily driving report',
  coverTitle: 'Daily driving reports',
  continued: 'continued',
  pageOfDriver: (page: number, pages: number): string => `Page ${page} of ${pages} of this driver`,
  pageOfCover: (page: number, pages: number): string => `Page ${page} of ${pages} of this summary`,
  inFullHeading: 'Texts that were cut, in full',
  carriedForward: 'Carried forward',
  stamps: ['Operations manager', 'Assistant', 'Driver'],
  form,
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
  breaks: 'Breaks',
  standing: 'Standing in a trip',
  noRecord: 'No record',
  /** Time from start to end of a trip: driving and idling. */
  tripTime: 'Trip time',
  stops: 'Stops',
  overLimit: 'Over limit',
  excluded: 'Excluded',
  rest: ruledFigures.rest,
  departure: 'Departure',
  return: 'Return',
  lastStop: 'Last stop so far',
  dutySoFar: 'Duty so far',
  /** @param time of the first fetch */
  notOver: (time: string): string => `× The day was not over: its trips are those known at ${time}.`,
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
  limit: (kmh: number): string => `Limit ${kmh}`,
  startMark: 'S',
  endMark: 'E',
  breaksHeading: 'Breaks between trips',
  place: 'Place',
  breakFrom: 'From',
  breakTo: 'To',
  breakKind: 'Kind',
  breakCandidate: '● break candidate',
  breakNote: (minutes: number): string => `● ${minutes} minutes or longer`,
  shorterBreaks: (count: number): string => counted(count, 'shorter one'),
  gap: (gap: RecordGap): string =>
    gap.kind === 'no time'
      ? '× A trip beside it lacks a time: driving not recorded'
      : `× Next trip starts ${grouped(Math.round(gap.meters / 1000))} km away: driving not recorded`,
  gaps: (count: number): string => `× ${counted(count, 'gap')}: driving not recorded`,
  /** Part of the duty span that is neither driving, idling nor break. */
  unrecorded: (minutes: number): string =>
    `× Duty span: ${hoursAndMinutes(minutes)} of it lies in excluded trips or was not recorded, and counts neither as ` +
    'driving nor as a break.',
  addressesMissing: '× Addresses could not be looked up. Order this report again to get them.',
  driversWithoutAddresses: (count: number): string =>
    `× Addresses of ${counted(count, 'driver')} could not be looked up`,
  noTrips: 'No driving was recorded on this day.',
  noTripsDetail: (offset: string): string => `The mobile reported no trip between 00:00 and 24:00 (${offset}).`,
  noSpeeds: 'No speed readings were received.',
  noPositions: 'No usable positions were received.',
  straightLine: 'Dashed: no track, straight line',
  times: (count: number): string => `${grouped(count)}×`,
  lasting,
  /** Readings of unknown duration. */
  readings: (count: number): string => counted(count, 'reading'),
  /** @param times number and duration of the times over the limit */
  tripsOverLimit: (count: number, times: readonly string[]): string =>
    [`▲ ${counted(count, 'trip')} over the limit`, ...times].join(', '),
  tripsExcluded: (count: number): string => `× ${counted(count, 'trip')} excluded`,
  /** Reason why a trip does not count. @param other number of the conflicting trip */
  fault: (fault: TimeFault, other: number | undefined): string =>
    `× Excluded: ${faults[fault]}${other === undefined ? '' : ` trip ${other}`}.`,
  carriedOver: (day: string): string => `Carried over: began on ${shortDate(day)} and counts there.`,
  driversListedTwice: (count: number): string => `× ${counted(count, 'driver')} listed again`,
  countedBefore: ({ page, isSame }: CountedPage): string =>
    isSame
      ? `× Excluded: the same driver is counted on page ${page}.`
      : `× The same vehicle with another driver is counted on page ${page}.`,
  sharedVehicles: (count: number): string => `× ${counted(count, 'driver')} on a vehicle that is counted once`,
  /** Meanings of the marks behind a top speed or a distance. */
  topReported: '* Top speed that the vehicle reported; its track shows less.',
  topOfTrack: '† Top speed of the track; the vehicle reported less.',
  /** @param distances numbers of the trips without a distance, empty if all have one; `idlings` likewise */
  lacking: (distances: string, idlings: string): string => {
    const parts = [distances && `distance of No. ${distances}`, idlings && `idling of No. ${idlings}`].filter(Boolean);
    return `§ Missing or cannot be true: ${parts.join('; ')}. ≥ sum without it; ≤ idling may be part of it.`;
  },
  doubtedOnPage: '≥, ≤, ‡: the page of the driver says why.',
  brief: (numbers: string): string =>
    `¶ No. ${numbers}: less than 100 m and less than a minute, which is no departure and no return for certain.`,
  /** Contradictions between the record and a figure of a trip; durations and distances as printed. */
  doubt: {
    of: (number: number, doubt: string): string => `No. ${number}: ${doubt}`,
    distance: (told: string, way: string, isLine: boolean): string =>
      `distance ${told} km, ${isLine ? 'straight line' : 'track'} ${way} km`,
    driving: (told: string, moving: string, isMost: boolean): string =>
      `driving ${told}, track at ${isMost ? 'most' : 'least'} ${moving}`,
    slow: (told: string, least: string, way: string): string => `driving ${told}, at least ${least} for ${way} km`,
    parked: (time: string, kmh: number): string => `${time} at ${kmh} km/h within 100 m`,
    carried: (time: string, way: string): string => `${time} at 0 km/h over ${way} km`,
    silence: (time: string): string => `no reading for ${time}`,
    top: (readings: string, kmh: number): string =>
      `${readings} up to ${kmh} km/h left out: the places beside them are too near`,
    speeds: (measured: number, ofWay: number): string =>
      `mean of its speeds ${measured} km/h, of its way ${ofWay} km/h`,
  },
  /** @param found trips by their figure */
  unsupportedBy: (found: readonly (readonly string[])[]): string =>
    `‡ The record does not support the figure: ${found.map((figure) => figure.join('; ')).join('. ')}.`,
  /** Parts of the note about a limit of speed. */
  over: {
    stretches: (count: number, minSeconds: number, longest: string, highest: number): string =>
      `${counted(count, 'time')} for ${minSeconds} s or longer, longest ${longest}, highest ${highest}`,
    noStretch: (minSeconds: number): string => `never for ${minSeconds} s or longer`,
    readings: (readings: string): string => `${readings}, for how long is not known`,
    uncounted: (trips: number): string => `${counted(trips, 'trip')} over the limit not counted here`,
    whole: (limitKmh: number, parts: readonly string[]): string =>
      `▲ Over ${limitKmh} km/h: ${parts.join('; ') || 'how often is not known'}.`,
  },
  beyondDay: '▲ h:mm: more than 24:00.',
  shortDate,
  /** Day without its year for a narrow column. */
  tinyDate: shortDate,
  leftOut: ({ positions, speeds, times, figures }: LeftOut): string => {
    const counts = { position: positions, 'speed reading': speeds, time: times, figure: figures };
    const parts = Object.entries(counts).flatMap(([noun, count]) => (count === 0 ? [] : [counted(count, noun)]));
    return `Left out because they cannot be true: ${parts.join(', ')}.`;
  },
  created: 'Created',
  orderedBy: (user: string): string => `Ordered by ${user}`,
  timesIn: (offset: string): string => `All times ${offset}`,
  /** Offsets before and after a change of the clocks, and the time that clocks show just before it. */
  offsetUntil: (before: string, time: string, after: string): string => `${before} until ${time}, then ${after}`,
  pageNumber: (page: number): readonly string[] => ['Page', String(page), 'of'],
  inFull: (label: string, text: string): string => `${label}: ${text}`,
  /** @param codes of the people in whose names they are */
  standIn: (codes: readonly string[]): string =>
    `〓: letters this report cannot print${codes.length === 0 ? '' : `, in the name of ${codes.join(', ')}`}.`,
  rules,
  /** Parts of a sentence about a figure of the rules; durations as printed. */
  ruling: {
    figures: ruledFigures,
    atLeast: (least: string): string => `at least ${least}`,
    range: (ends: readonly string[]): string => ends.join(' to '),
    article: ([article = '', ...parts]: readonly string[]): string =>
      `Art. ${article}${parts.map((part) => `(${part})`).join('')}`,
    beyond: (limit: string, isRest: boolean): string => `${isRest ? 'shorter' : 'longer'} than ${limit}`,
    maybe: (beyond: string): string => `may be ${beyond}`,
    /** @param open the limit that may be exceeded too */
    exceptionally: (beyond: string, exception: string, open: string | undefined): string =>
      [`${beyond}, ${exception}`, ...(open === undefined ? [] : [open])].join('; '),
    ofGap: ', only because of the gap before',
    within: (limit: string, isRest: boolean): string => (isRest ? `${limit} or longer` : `not longer than ${limit}`),
    withinRecord: (limit: string): string => `not longer than ${limit} so far as recorded`,
    withinMean: (mean: string): string => `the mean with the duty before is at most ${mean}`,
    noParking: (long: string): string => `up to ${long} where no parking place was found`,
    duty: 'up to 15:00, longer than 14:00 twice a week as a guide (目安)',
    far: (long: string, distance: string, returns: boolean): string =>
      `; ${long} only if this day belongs to a run of 450 km or more with the rest away from home; this day has ` +
      `${distance} km${returns ? ' and ends where it began' : ''}`,
    mean: (mean: string | undefined): string =>
      `the mean of two days counts${mean === undefined ? '' : `: at most ${mean} with the duty before`}`,
    twiceAWeek: (long: string): string => `up to ${long} twice a week`,
    longDistance: (long: string): string => `${long} twice a week on long distances`,
    betweenWeeklyRests: (long: string): string => `${long} three times between weekly rests`,
    guide: '; 11:00 where possible',
    whole: (figure: string, article: string, range: string, span: string | undefined, finding: string): string =>
      `${figure} (${article}) ${range}${span === undefined ? '' : `, ${span}`}: ${finding}.`,
  },
  gapBefore: ({ gap, minutes }: DayBreak, time: string): string => {
    const moved =
      gap?.kind === 'elsewhere' ? `; the vehicle moved ${kilometers(Math.round(gap.meters / 100))} km.` : '.';
    return `× ${hoursAndMinutes(minutes)} without a record before ${time}${moved}`;
  },
  /** @param hasRemarks true if the form has a box for remarks */
  rulesExplained: (weighed: WeighedPerson['rules'], hasRemarks: boolean): string =>
    'Stands within trips, gaps, short pauses and trips that somebody else may have driven count in one end of a figure ' +
    'only. Only trips are recorded: no other work, no roll call, no reason of a break. Nothing is deducted for ' +
    `unforeseen events ${weighed === 'japan-2024' ? '(予期し得ない事象)' : '(Article 12)'}` +
    (hasRemarks ? ': see the remarks.' : '.'),
  otherMobiles: (mobiles: readonly string[]): string =>
    `Weighed together with mobile ${mobiles.join(', ')} of the same employee code.`,
  otherUnknown: (mobiles: readonly string[]): string =>
    `× The record of mobile ${mobiles.join(', ')} of the same employee code could not be fetched.`,
  overlap: (time: string): string =>
    `× Trips on two mobiles overlap, first at ${time}: one person cannot have driven both.`,
  noPerson: 'The employee code is on more than eight mobiles: only this one is weighed.',
  /** Space between two sentences. */
  gapOfSentences: ' ',
  noneBefore: 'No trip in the 24 hours before 00:00.',
  beforeUnknown: 'The 24 hours before 00:00 are not known.',
  shared: '× This vehicle had two drivers or more. The record does not say who drove.',
  pagesBeyondRules: (count: number, weighed: WeighedPerson['rules']): string =>
    `▲ ${counted(count, 'page')} beyond a limit of ${rules[weighed]}`,
  /** Formats `yyyy-mm-dd`. @param _isInEra true for years of the Japanese era, which only Japanese has */
  date: (day: string, _isInEra: boolean): string => {
    const date = new Date(day);
    return `${WEEKDAY.format(date)}, ${date.getUTCDate()} ${MONTH.format(date)} ${day.slice(0, 4)}`;
  },
  drivers: 'Drivers',
  reports: 'Reports',
  notAvailable: 'Not available',
  driversOverLimit: 'Drivers over limit',
  failure: (reason: FailureReason, detail: string | undefined): string =>
    `× ${failures[reason]}${detail === undefined ? '' : `: ${detail}`}`,
  failedHeading: (count: number): string => `× ${counted(count, 'report')} could not be made`,
  driversHeading: 'Drivers',
  noDrivers: 'No driver was requested.',
  noDriversDetail: 'The request named no drivers, so there is nothing to report.',
  page: 'Page',
  chartAlternative: ({ top, average: mean, tripsOverLimit, overLimit }: DayTotals, limitKmh: number): string =>
    `Speed over time. Top ${speed(top?.kmh ?? null)} km/h, average ${average(mean)} km/h, limit ${limitKmh} km/h, ` +
    `${counted(tripsOverLimit, 'trip')} over the limit, ${overLimit.stretches} times, ${lasting(overLimit.seconds)}.`,
  /** @param minutes of standing within trips, and without a record. @param marked times with ▲ */
  bandAlternative: (totals: DayTotals, minutes: readonly number[], marked: readonly string[]): string => {
    const [standing, unrecorded] = minutes.map(hoursAndMinutes);
    const beyond = marked.length === 0 ? '' : `, ▲ ${marked.join(', ')}`;
    return (
      `The 24 hours: driving ${drivingText(totals)}, standing in trips ${standing}, ` +
      `breaks ${hoursAndMinutes(totals.breakMinutes)}, no record ${unrecorded}${beyond}.`
    );
  },
  routeAlternative: (totals: DayTotals): string =>
    `Route of ${counted(totals.trips, 'trip')}, ${distanceOf(totals)} km in ${drivingText(totals)} hours.`,
};

/** Words of a report in one language. */
export type Words = typeof EN;
