import type { DriverOutcome, ReportDriver, ReportTrip, TrackPoint } from '../../src/reports/model.js';
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
const MINUTE = 60_000;

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

const PLACES = {
  ja: [
    '東京都江東区豊洲三丁目3番3号',
    '東京都港区芝浦4-12-6',
    '千葉県船橋市浜町二丁目1番1号',
    '神奈川県川崎市川崎区東扇島22',
    '埼玉県戸田市美女木東1-2-8',
    '東京都大田区平和島六丁目1番1号',
    '千葉県浦安市鉄鋼通り3-5-2',
    '神奈川県横浜市鶴見区大黒ふ頭15 流通センターB棟 第4バース',
    '東京都足立区入谷6-1-1',
    '茨城県つくば市大白硯1717',
  ],
  en: [
    '3-3-3 Toyosu, Koto City, Tokyo',
    '4-12-6 Shibaura, Minato City',
    '2-1-1 Hamacho, Funabashi',
    '22 Higashi-Ogishima, Kawasaki',
    '1-2-8 Bijogi-Higashi, Toda',
    '6-1-1 Heiwajima, Ota City',
    '3-5-2 Tekkodori, Urayasu',
    '15 Daikoku Futo, Distribution Centre B, Berth 4, Tsurumi Ward, Yokohama',
    '6-1-1 Iriya, Adachi City',
    '1717 Ojirasuzuri, Tsukuba',
  ],
} as const;

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

function sampleDriver(index: number, locale: 'en' | 'ja'): ReportDriver {
  const names = NAMES[locale];
  return {
    mobileId: String(100_001 + index),
    employeeCode: `E${20_000 + index * 7}`,
    employeeName: names[index % names.length] ?? '',
    vehicle: VEHICLES[locale][index % VEHICLES[locale].length],
  };
}

/** A day of trips one after another, each beginning where the last one ended. */
export function sampleTrips(random: Random, options: SampleOptions): ReportTrip[] {
  const { locale, tripsPerDriver = random.integer(4, 17), trackPoints = 200 } = options;
  const places = PLACES[locale];
  const vehicle = {
    lat: 35.62 + random.next() * 0.08,
    lng: 139.72 + random.next() * 0.1,
    heading: random.between(0, 6.3),
    kmh: 0,
  };
  const trips: ReportTrip[] = [];
  let time = DAY_START + random.between(6.5, 8) * 60 * MINUTE;
  let address = random.pick(places);
  for (let index = 0; index < tripsPerDriver; index += 1) {
    const minutes = random.between(0.5, 1.5) * (540 / Math.max(tripsPerDriver, 9));
    const points = Math.max(2, Math.round(trackPoints / tripsPerDriver));
    const isFast = random.chance(0.12);
    const track = sampleTrack(random, vehicle, { time, minutes, points, isFast });
    const end = time + minutes * MINUTE;
    // An odometer counts the way of the track, whose last point is at the end.
    const step = (minutes / (points - 1)) * MINUTE;
    const kilometers = track.reduce((sum, { speedKmh }) => sum + (speedKmh * step) / 3_600_000, 0);
    const nextAddress = random.pick(places);
    trips.push({
      start: { time: timestamp(time), lat: track[0]?.lat ?? 0, lng: track[0]?.lng ?? 0 },
      end: { time: timestamp(end), lat: vehicle.lat, lng: vehicle.lng },
      startAddress: address,
      endAddress: random.chance(0.04) ? null : nextAddress,
      distanceMeters: Math.round(kilometers * 1000 * random.between(1, 1.03)),
      stopCount: random.integer(0, 8),
      maxSpeedKmh: Math.round(track.reduce((top, { speedKmh }) => Math.max(top, speedKmh), 0)),
      idleSeconds: Math.round(random.next() * minutes * 14),
      track,
    });
    address = nextAddress;
    time = end + random.between(4, 18) * MINUTE;
  }
  return trips;
}

function sampleTrack(
  random: Random,
  vehicle: { lat: number; lng: number; heading: number; kmh: number },
  trip: { time: number; minutes: number; points: number; isFast: boolean },
): TrackPoint[] {
  const track: TrackPoint[] = [];
  const target = trip.isFast ? 84 : random.between(38, 64);
  const step = (trip.minutes / (trip.points - 1)) * MINUTE;
  for (let index = 0; index < trip.points; index += 1) {
    const isEnd = index === 0 || index === trip.points - 1;
    vehicle.kmh = isEnd ? 0 : Math.max(0, vehicle.kmh + (target - vehicle.kmh) * 0.45 + random.between(-12, 12));
    if (random.chance(0.06)) vehicle.kmh = 0;
    vehicle.heading += (random.next() - 0.5) * 0.9;
    const degrees = (vehicle.kmh * step) / 3_600_000 / 111;
    vehicle.lat += Math.sin(vehicle.heading) * degrees;
    vehicle.lng += Math.cos(vehicle.heading) * degrees * 1.23;
    track.push({
      time: timestamp(trip.time + index * step),
      lat: vehicle.lat,
      lng: vehicle.lng,
      speedKmh: Math.round(vehicle.kmh * 10) / 10,
    });
  }
  return track;
}

function timestamp(epoch: number): string {
  return new Date(Math.round(epoch)).toISOString();
}
