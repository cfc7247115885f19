import type { Fault } from '../day/day-trip.js';
import type { RuledFigure } from '../day/driving-rules.js';
import type { OverLimit } from '../day/speed-series.js';
import type { FailureReason } from '../model.js';
import { average, grouped, hoursAndMinutes, inUnits, kilometers, speed } from './number-format.js';
import type { Labels } from './labels.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** English words of a report. */
export const ENGLISH: Labels = {
  title: 'Daily driving report',
  coverTitle: 'Daily driving reports',
  continued: 'continued',
  pageOfDriver: (page, pages) => `Page ${page} of ${pages} of this driver`,
  pageOfCover: (page, pages) => `Page ${page} of ${pages} of this summary`,
  inFullHeading: 'Texts that were cut, in full',
  carriedForward: 'Carried forward',
  stamps: ['Operations manager', 'Assistant', 'Driver'],
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
    instructions: 'Instructions of the operation order',
    remarks: 'Remarks',
    rest: 'break',
    waiting: 'waiting',
    loading: 'loading',
    unloading: 'unloading',
    arrival: 'arr.',
    begin: 'begin',
    end: 'end',
  },
  driver: 'Driver',
  employeeCode: 'Employee code',
  mobile: 'Mobile',
  vehicle: 'Vehicle',
  organisation: 'Organisation',
  hoursAndMinutes: 'h:mm',
  distance: 'Distance',
  dutySpan: 'Duty span',
  driving: 'Driving',
  idling: 'Idling',
  breaks: 'Breaks',
  tripTime: 'Trip time',
  stops: 'Stops',
  overLimit: 'Over limit',
  excluded: 'Excluded',
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
  limit: (kmh) => `Limit ${kmh}`,
  startMark: 'S',
  endMark: 'E',
  breaksHeading: 'Breaks between trips',
  place: 'Place',
  breakFrom: 'From',
  breakTo: 'To',
  breakKind: 'Kind',
  breakCandidate: '● break candidate',
  breakNote: (minutes) => `● ${minutes} minutes or longer`,
  shorterBreaks: (count) => (count === 1 ? '1 shorter one' : `${grouped(count)} shorter ones`),
  gap: (gap) =>
    gap.kind === 'no time'
      ? '× A trip beside it lacks a time: driving not recorded'
      : `× Next trip starts ${grouped(Math.round(gap.meters / 1000))} km away: driving not recorded`,
  gaps: (count) => `× ${grouped(count)} ${count === 1 ? 'gap' : 'gaps'}: driving not recorded`,
  unrecorded: (minutes) =>
    `× Duty span: ${hoursAndMinutes(minutes)} of it lies in excluded trips or was not recorded, and counts neither as driving nor as a break.`,
  addressesMissing: '× Addresses could not be looked up. Order this report again to get them.',
  driversWithoutAddresses: (count) =>
    `× Addresses of ${grouped(count)} ${count === 1 ? 'driver' : 'drivers'} could not be looked up`,
  noTrips: 'No driving was recorded on this day.',
  noTripsDetail: (offset) => `The mobile reported no trip between 00:00 and 24:00 (${offset}).`,
  noSpeeds: 'No speed readings were received.',
  noPositions: 'No usable positions were received.',
  straightLine: 'Dashed: no track, straight line',
  times,
  lasting,
  tripsOverLimit: ({ tripsOverLimit, overLimit }) =>
    [`▲ ${grouped(tripsOverLimit)} ${tripsOrTrip(tripsOverLimit)} over the limit`, ...timesOver(overLimit)].join(', '),
  readings,
  tripsExcluded: (count) => `× ${grouped(count)} ${tripsOrTrip(count)} excluded`,
  fault: (fault, other) => `× Excluded: ${FAULTS[fault]}${other === undefined ? '' : ` trip ${other}`}.`,
  carriedOver: (day) => `Carried over: began on ${shortDate(day)} and counts there.`,
  driversListedTwice: (count) => `× ${grouped(count)} ${count === 1 ? 'driver' : 'drivers'} listed again`,
  listedTwice: (page) => `× Excluded: the same driver is counted on page ${page}.`,
  topReported: '* Top speed that the vehicle reported; its track shows less.',
  topOfTrack: '† Top speed of the track; the vehicle reported less.',
  shortDistance: '‡ Shorter than a straight line between start and end.',
  overLimitNote: (limitKmh, minSeconds, { stretches, seconds, longest, highest, readings: count }) => {
    const often = `${grouped(stretches)} ${stretches === 1 ? 'time' : 'times'} for ${minSeconds} s or longer`;
    const known =
      stretches > 0
        ? [`${often}, longest ${lasting(longest)}, highest ${highest}`]
        : seconds > 0
          ? [`never for ${minSeconds} s or longer`]
          : [];
    const unknown = count > 0 ? [`${readings(count)}, for how long is not known`] : [];
    const told = [...known, ...unknown];
    return `▲ Over ${limitKmh} km/h: ${told.length === 0 ? 'how often is not known' : told.join('; ')}.`;
  },
  beyondDay: '▲ h:mm: more than 24:00.',
  shortDate,
  tinyDate: shortDate,
  leftOut: ({ positions, speeds, times, figures }) =>
    `Left out because they cannot be true: ${[
      counted(positions, 'position'),
      counted(speeds, 'speed reading'),
      counted(times, 'time'),
      counted(figures, 'figure'),
    ]
      .filter((part) => part !== '')
      .join(', ')}.`,
  created: 'Created',
  timesIn: (offset) => `All times ${offset}`,
  offsetUntil: (before, time, after) => `${before} until ${time}, then ${after}`,
  pageNumber: (page) => ['Page', String(page), 'of'],
  pageTotal: (total) => String(total),
  inFull: (label, text) => `${label}: ${text}`,
  standIn: '〓: letters this report cannot print.',
  rules: { 'japan-2024': 'Improvement standards, Japan, April 2024', 'eu-561': 'Regulation (EC) No 561/2006' },
  ruled: ({ kind, minutes, usual, most, outcome }, span) =>
    `${RULED_MARKS[outcome]}${RULED[kind]} ${hoursAndMinutes(minutes)}, ${span}: ${
      outcome === 'within'
        ? `at most ${hoursAndMinutes(usual)}`
        : outcome === 'beyond'
          ? `beyond ${hoursAndMinutes(most)}`
          : `over ${hoursAndMinutes(usual)}, ${EXCEPTIONS[kind](most)}`
    }.`,
  lowerBounds:
    'Based on trip times and breaks above. Duty counts from the first trip, not from the roll call: these are lower ' +
    'bounds. Unrecorded time is no rest.',
  driversBeyondRules: (count, rules) =>
    `▲ ${grouped(count)} ${count === 1 ? 'driver' : 'drivers'} beyond ${ENGLISH.rules[rules]}`,
  date: (day) => {
    const date = new Date(`${day}T00:00:00Z`);
    return `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${day.slice(0, 4)}`;
  },
  drivers: 'Drivers',
  reports: 'Reports',
  notAvailable: 'Not available',
  driversOverLimit: 'Drivers over limit',
  failure: (reason, detail) => `× ${FAILURES[reason]}${detail === undefined ? '' : `: ${detail}`}`,
  failedHeading: (count) =>
    count === 1 ? '1 report could not be made' : `${grouped(count)} reports could not be made`,
  driversHeading: 'Drivers',
  noDrivers: 'No driver was requested.',
  noDriversDetail: 'The request named no drivers, so there is nothing to report.',
  page: 'Page',
  chartAlternative: (totals, limitKmh) =>
    `Speed over time. Top ${speed(totals.top?.kmh ?? null)} km/h, average ${average(totals.average)} km/h, ` +
    `limit ${limitKmh} km/h, ` +
    `${totals.tripsOverLimit} ${tripsOrTrip(totals.tripsOverLimit)} over the limit, ` +
    `${totals.overLimit.stretches} times, ${lasting(totals.overLimit.seconds)}.`,
  routeAlternative: (totals) =>
    `Route of ${totals.trips} ${tripsOrTrip(totals.trips)}, ${kilometers(totals.hectometers)} km in ${hoursAndMinutes(totals.drivingMinutes)} hours.`,
};

const FAULTS: Readonly<Record<Fault, string>> = {
  incomplete: 'a time, distance or idling is missing or cannot be true',
  duplicate: 'the same times as',
  overlap: 'overlaps',
  idling: 'idling is longer than the trip',
  'other day': 'a trip of another day',
  'too fast': 'too far for a vehicle in this time',
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
  continuous: 'Longest continuous driving',
  duty: 'Duty span',
  daily: 'Daily driving',
};
const RULED_MARKS: Readonly<Record<RuledFigure['outcome'], string>> = { within: '', exceptional: '△ ', beyond: '▲ ' };
const EXCEPTIONS: Readonly<Record<RuledFigure['kind'], (most: number) => string>> = {
  continuous: (most) => `up to ${hoursAndMinutes(most)} only where no parking place was found`,
  duty: (most) => `at most ${hoursAndMinutes(most)}`,
  daily: (most) =>
    most === Infinity ? 'counts towards the mean of two days' : `up to ${hoursAndMinutes(most)} twice a week`,
};

function times(count: number): string {
  return `${grouped(count)}×`;
}

function lasting(seconds: number): string {
  return inUnits(seconds, [' h', ' min', ' s'], ' ');
}

function readings(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'reading' : 'readings'}`;
}

function timesOver({ stretches, seconds, readings: count }: OverLimit): readonly string[] {
  const known = [stretches > 0 ? times(stretches) : '', seconds > 0 ? lasting(seconds) : ''];
  return [known.filter(Boolean).join(' '), count > 0 ? readings(count) : ''].filter(Boolean);
}

function shortDate(day: string): string {
  return `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1]?.slice(0, 3) ?? ''}`;
}

function tripsOrTrip(count: number): string {
  return count === 1 ? 'trip' : 'trips';
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
