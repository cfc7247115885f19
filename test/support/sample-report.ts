import { type DriverDay, driverDay, possibleEnds, readTrips } from '../../src/reports/day/driver-day.js';
import { type DrivingDay, drivingDay } from '../../src/reports/day/report-date.js';
import type {
  DriverOutcome,
  FailedDay,
  ReadEnds,
  ReportDriver,
  ReportOptions,
  ReportTrip,
} from '../../src/reports/model.js';
import { type DayToDraw, limitOf } from '../../src/reports/page/driver-section.js';
import type { SpeedLimit } from '../../src/reports/day/speed-series.js';
import { distanceBetween, drive, type Point } from './drive.js';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';

/** Sample reports for people who work on the layout, for tests and for measurements: never real people. */
export interface SampleOptions {
  readonly locale: 'en' | 'ja';
  readonly tripsPerDriver?: number;
  /** Points of a driver's whole day. */
  readonly trackPoints?: number;
}

/** The day and offset all samples are made for. */
export const SAMPLE_DATE = '2024-05-17T09:00:00+09:00';
const DAY_START = Date.parse('2024-05-17T00:00:00+09:00');

const NAMES = {
  ja: [
    '齋藤 健一郎',
    '髙﨑 美咲',
    '渡邉 大輔',
    '佐々木 陽子',
    '長谷川 さくら',
    'Nguyễn Thị Hồng',
    '김민수',
    '张伟',
    'สมชาย น้ำฝน',
    '𠮷田 翔太',
    '神谷 凛',
    'Łukasz Żółć',
  ],
  en: [
    'Kenichiro Saito',
    'Maria José da Silva',
    'Seán O’Brien',
    'Nguyễn Thị Hồng',
    '김민수',
    '张伟',
    '佐藤 健一',
    'สมชาย น้ำฝน',
    'Łukasz Żółć',
    'Αλέξης Παπαδόπουλος',
    'Дмитрий Соколов',
    'Zoë van den Berg',
  ],
} as const;

const VEHICLES = {
  ja: [
    { num: '品川 100 あ 12-34', name: '4t 冷凍車' },
    { num: '足立 130 い 20-07', name: '10t 平ボディ' },
    { num: '横浜 800 さ 1-23', name: '2t ウイング' },
  ],
  en: [
    { num: 'TK-1042', name: 'Refrigerated truck, 4 t' },
    { num: 'TK-1077', name: 'Flatbed, 10 t' },
    { num: 'TK-2001', name: 'Van' },
  ],
} as const;

interface SamplePlace extends Point {
  readonly ja: string;
  readonly en: string;
}

/** Where all days begin and end. */
const DEPOT: SamplePlace = {
  lat: 35.6545,
  lng: 139.7936,
  ja: '東京都江東区豊洲三丁目3番3号',
  en: '3-3-3 Toyosu, Koto City, Tokyo',
};

const PLACES: readonly SamplePlace[] = [
  { lat: 35.6375, lng: 139.7478, ja: '東京都港区芝浦4-12-6', en: '4-12-6 Shibaura, Minato City' },
  { lat: 35.6866, lng: 139.9905, ja: '千葉県船橋市浜町二丁目1番1号', en: '2-1-1 Hamacho, Funabashi' },
  { lat: 35.502, lng: 139.756, ja: '神奈川県川崎市川崎区東扇島22', en: '22 Higashi-Ogishima, Kawasaki' },
  { lat: 35.823, lng: 139.642, ja: '埼玉県戸田市美女木東1-2-8', en: '1-2-8 Bijogi-Higashi, Toda' },
  { lat: 35.584, lng: 139.748, ja: '東京都大田区平和島六丁目1番1号', en: '6-1-1 Heiwajima, Ota City' },
  { lat: 35.633, lng: 139.919, ja: '千葉県浦安市鉄鋼通り3-5-2', en: '3-5-2 Tekkodori, Urayasu' },
  {
    lat: 35.464,
    lng: 139.679,
    ja: '神奈川県横浜市鶴見区大黒ふ頭15 流通センターB棟 第4バース',
    en: '15 Daikoku Futo, Distribution Centre B, Berth 4, Tsurumi Ward, Yokohama',
  },
  { lat: 35.7962, lng: 139.7612, ja: '東京都足立区入谷6-1-1', en: '6-1-1 Iriya, Adachi City' },
  { lat: 35.648, lng: 139.86, ja: '東京都江戸川区臨海町三丁目6番2号', en: '3-6-2 Rinkaicho, Edogawa City' },
];

/** The driver with a number from 0; the same number always gives the same driver and day. */
export function sampleOutcome(index: number, options: SampleOptions): DriverOutcome {
  const driver = sampleDriver(index, options.locale);
  if (index % 12 === 10) {
    return { kind: 'failed', driver, reason: 'not found', detail: 'mobile not found' };
  }
  return { kind: 'day', driver, trips: index % 12 === 11 ? [] : sampleTrips(randomFrom(index + 1), options) };
}

/** Outcomes with the numbers from 0 up to `count`. */
export async function* sampleOutcomes(count: number, options: SampleOptions): AsyncGenerator<DriverOutcome> {
  for (let index = 0; index < count; index += 1) yield await Promise.resolve(sampleOutcome(index, options));
}

/** Reads and judges the trips of a driver. */
export function readDriverDay(trips: readonly ReportTrip[], day: DrivingDay, limit: SpeedLimit): DriverDay {
  return driverDay(readTrips(trips, day, limit), trips, day);
}

/** Reads the trips of outcomes, as the drawing thread does. */
export async function* readOutcomes(
  outcomes: Iterable<DriverOutcome>,
  options: ReportOptions,
): AsyncGenerator<DayToDraw | FailedDay> {
  const day = drivingDay(options.date, options.timeZone, options.fetchedAt);
  for (const outcome of outcomes) {
    const read =
      outcome.kind === 'failed' ? outcome : { ...outcome, day: readDriverDay(outcome.trips, day, limitOf(options)) };
    yield await Promise.resolve(read);
  }
}

/** Reads the ends of a day in this thread, as the drawing thread does. */
export function readingEnds(day: { readonly from: string; readonly to: string }, sent: number): ReadEnds {
  const limit = { limitKmh: 80, minSeconds: 10 };
  return (trips) =>
    Promise.resolve({ sent, ends: possibleEnds(readTrips(trips, { ...day, fetchedAt: Infinity }, limit)) });
}

function sampleDriver(index: number, locale: 'en' | 'ja'): ReportDriver {
  const names = NAMES[locale];
  return {
    mobileId: String(100_001 + index),
    employeeCode: `E${20_000 + index * 7}`,
    employeeName: names[index % names.length] ?? '',
    vehicle: VEHICLES[locale][index % VEHICLES[locale].length],
  };
}

/** A round of trips, each beginning where the last one ended; on some days, up to three of them exceed 80 km/h. */
export function sampleTrips(random: Random, options: SampleOptions): ReportTrip[] {
  const { locale, tripsPerDriver = random.integer(4, 17), trackPoints = 200 } = options;
  const points = Math.max(2, Math.round(trackPoints / tripsPerDriver));
  const trips: ReportTrip[] = [];
  let time = DAY_START + Math.round(random.between(6.5, 8) * 3600) * 1000;
  let from = DEPOT;
  let speedings = random.chance(0.35) ? 3 : 0;
  for (let index = 0; index < tripsPerDriver; index += 1) {
    const to = index > 0 && index === tripsPerDriver - 1 ? DEPOT : placeAfter(random, from);
    const speeds = speedings > 0 && random.chance(0.3);
    const trip = drive(random, { from, to, time, speeds, points });
    if (trip.maxSpeedKmh > 80) speedings -= 1;
    trips.push({ ...trip, startAddress: from[locale], endAddress: random.chance(0.04) ? null : to[locale] });
    from = to;
    const halt = random.between(4, 18) * Math.min(1, 12 / tripsPerDriver);
    time = Date.parse(trip.end.time) + Math.round(halt * 60) * 1000;
  }
  return trips;
}

/** One of the nearest places. */
function placeAfter(random: Random, from: SamplePlace): SamplePlace {
  const [nearest = DEPOT, ...next] = PLACES.filter((place) => place !== from)
    .sort((one, other) => distanceBetween(from, one) - distanceBetween(from, other))
    .slice(0, 5);
  return random.pick([nearest, ...next]);
}
