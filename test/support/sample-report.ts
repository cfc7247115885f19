import type { DriverOutcome, ReportDriver, ReportTrip, TrackPoint } from '../../src/reports/model.js';

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
    const message = options.locale === 'ja' ? '移動局が見つかりません。' : 'The mobile was not found.';
    return { kind: 'failed', driver, code: 'NotFound', message };
  }
  const random = generator(index + 1);
  return { kind: 'day', driver, trips: index % 12 === 11 ? [] : sampleTrips(random, options) };
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
  };
}

/** A day of trips one after another, each beginning where the last one ended. */
export function sampleTrips(random: () => number, options: SampleOptions): ReportTrip[] {
  const { locale, tripsPerDriver = 4 + Math.floor(random() * 14), trackPoints = 200 } = options;
  const places = PLACES[locale];
  const place = (): string => places[Math.floor(random() * places.length)] ?? '';
  const vehicle = { lat: 35.62 + random() * 0.08, lng: 139.72 + random() * 0.1, heading: random() * 6.3, kmh: 0 };
  const trips: ReportTrip[] = [];
  let time = DAY_START + (6.5 + random() * 1.5) * 60 * MINUTE;
  let address = place();
  for (let index = 0; index < tripsPerDriver; index += 1) {
    const minutes = (0.5 + random()) * (540 / Math.max(tripsPerDriver, 9));
    const points = Math.max(2, Math.round(trackPoints / tripsPerDriver));
    const isFast = random() < 0.12;
    const track = sampleTrack(random, vehicle, { time, minutes, points, isFast });
    const end = time + minutes * MINUTE;
    const nextAddress = place();
    trips.push({
      start: { time: timestamp(time), lat: track[0]?.lat ?? 0, lng: track[0]?.lng ?? 0 },
      end: { time: timestamp(end), lat: vehicle.lat, lng: vehicle.lng },
      startAddress: address,
      endAddress: random() < 0.04 ? null : nextAddress,
      distanceMeters: Math.round(minutes * (260 + random() * 380)),
      stopCount: Math.floor(random() * 9),
      maxSpeedKmh: Math.round(track.reduce((top, { speedKmh }) => Math.max(top, speedKmh), 0)),
      idleSeconds: Math.round(random() * minutes * 14),
      track,
    });
    address = nextAddress;
    time = end + (4 + random() * 14) * MINUTE;
  }
  return trips;
}

function sampleTrack(
  random: () => number,
  vehicle: { lat: number; lng: number; heading: number; kmh: number },
  trip: { time: number; minutes: number; points: number; isFast: boolean },
): TrackPoint[] {
  const track: TrackPoint[] = [];
  const target = trip.isFast ? 84 : 38 + random() * 26;
  const step = (trip.minutes / (trip.points - 1)) * MINUTE;
  for (let index = 0; index < trip.points; index += 1) {
    const isEnd = index === 0 || index === trip.points - 1;
    vehicle.kmh = isEnd ? 0 : Math.max(0, vehicle.kmh + (target - vehicle.kmh) * 0.45 + (random() - 0.5) * 24);
    if (random() < 0.06) vehicle.kmh = 0;
    vehicle.heading += (random() - 0.5) * 0.9;
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

/** A small generator of numbers from 0 to 1 (xorshift32), so that samples are the same everywhere. */
export function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}
