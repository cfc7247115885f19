import { average, duration, grouped, kilometers, speed } from './number-format.js';
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

/** The words of an English report. */
export const ENGLISH: Labels = {
  title: 'Daily driving report',
  coverTitle: 'Daily driving reports',
  continued: 'continued',
  approvals: ['Approved', 'Checked', 'Driver'],
  driver: 'Driver',
  employeeCode: 'Employee code',
  mobile: 'Mobile',
  hoursAndMinutes: 'h:mm',
  distance: 'Distance',
  drivingTime: 'Driving time',
  duration: 'Duration',
  stops: 'Stops',
  stopCount: 'Stops',
  topSpeed: 'Top speed',
  averageSpeed: 'Average speed',
  idle: 'Idle',
  idleTime: 'Idle time',
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
  remarks: 'Remarks',
  noTrips: 'No driving was recorded on this day.',
  noTripsDetail: (offset) => `The mobile reported no trip between 00:00 and 24:00 (${offset}).`,
  noSpeeds: 'No speed readings were received.',
  noPositions: 'No usable positions were received.',
  straightLine: 'Dashed: no track, straight line',
  tripsOverLimit: (count) => `▲ ${count} ${tripsOrTrip(count)} over the limit`,
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
  pageNumber: (page) => ['Page', String(page), 'of'],
  pageTotal: (total) => String(total),
  date: (day) => {
    const date = new Date(`${day}T00:00:00Z`);
    return `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${day.slice(0, 4)}`;
  },
  drivers: 'Drivers',
  reports: 'Reports',
  notAvailable: 'Not available',
  driversOverLimit: 'Drivers over limit',
  failedHeading: (count) =>
    count === 1 ? '1 report could not be made' : `${grouped(count)} reports could not be made`,
  driversHeading: 'Drivers',
  noDrivers: 'No driver was requested.',
  noDriversDetail: 'The request named no drivers, so there is nothing to report.',
  page: 'Page',
  chartAlternative: (totals, limitKmh) =>
    `Speed over time. Top ${speed(totals.topKmh)} km/h, average ${average(totals.averageKmh)} km/h, ` +
    `limit ${limitKmh} km/h, ${totals.tripsOverLimit} ${tripsOrTrip(totals.tripsOverLimit)} over the limit.`,
  routeAlternative: (totals) =>
    `Route of ${totals.trips} ${tripsOrTrip(totals.trips)}, ${kilometers(totals.meters)} km in ${duration(totals.seconds)} hours.`,
};

function tripsOrTrip(count: number): string {
  return count === 1 ? 'trip' : 'trips';
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
