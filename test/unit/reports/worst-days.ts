import type { DriverOutcome, FailureReason, ReportTrip } from '../../../src/reports/model.js';
import { dayOf, DRIVER, trip } from './drawn.js';

const ADDRESSES = [
  '神奈川県横浜市鶴見区大黒ふ頭15番地 国際物流総合流通センター第二期B棟 東側プラットホーム 第4バース 受付窓口12',
  '15 Daikoku Futo, International Distribution Centre of the Port, Phase II, Building B, East Platform, Berth 4, Counter 12',
  '東京都江東区豊洲三丁目3番3号',
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch',
];

/** Names, codes and vehicles as they come: short, long, wide, without any space. */
const DRIVERS = [
  DRIVER,
  {
    mobileId: '2147483647',
    employeeCode: 'ABCDEFGHIJ-0123456789-KLMNOP',
    employeeName: 'Wolfeschlegelsteinhausenbergerdorff',
  },
  {
    mobileId: '7',
    employeeCode: '乗務員コード一二三四五六七八九',
    employeeName: '寿限無寿限無五劫の擦り切れ海砂利水魚の水行末雲来末',
  },
  {
    mobileId: 'M'.repeat(128),
    employeeCode: 'W'.repeat(256),
    employeeName: '長'.repeat(256),
    vehicle: { num: '品川 300 あ 12-34 '.repeat(8), name: 'Refrigerated truck with tail lift '.repeat(7) },
  },
] as const;

const at = (text: string): string => (text.length > 5 ? text : `2024-05-17T${text}`) + ':00+09:00';

function between(index: number, start: string, end: string, changes: Partial<ReportTrip> = {}): ReportTrip {
  const { start: from, end: to } = trip();
  return trip({
    start: { ...from, time: at(start) },
    end: { ...to, time: at(end) },
    startAddress: ADDRESSES[index % ADDRESSES.length] ?? null,
    endAddress: ADDRESSES[(index + 1) % ADDRESSES.length] ?? null,
    track: [],
    ...changes,
  });
}

/** A day with everything a row can say: every fault, the widest figures, days before and after. */
export function worstDay(driver: object = {}): DriverOutcome {
  const fast = Array.from({ length: 480 }, (_, index) => ({
    time: new Date(Date.parse('2024-05-17T11:00:00+09:00') + index * 20_000).toISOString(),
    lat: 35.65 + index * 0.0001,
    lng: 139.75,
    speedKmh: index % 4 === 0 ? 60 : 80.4 + (index % 3) * 70,
  }));
  return dayOf(
    [
      between(0, '2024-05-16T22:30', '00:20'),
      between(1, '05:00', '06:30', { distanceMeters: 143_210, stopCount: 99_999, idleSeconds: 1_800 }),
      between(2, '05:30', '06:00'),
      between(3, '06:35', '07:00'),
      between(3, '06:35', '07:00'),
      between(4, '07:10', '07:20', { idleSeconds: 9_999 }),
      between(5, '07:30', '07:40', { distanceMeters: 900_000 }),
      between(6, '07:50', '08:10', { distanceMeters: NaN }),
      between(7, '2024-05-10T09:00', '2024-05-10T09:30'),
      between(8, '11:00', '13:40', { distanceMeters: 160_000, maxSpeedKmh: 299.2, track: fast }),
      between(9, '13:50', '14:20', { maxSpeedKmh: 80.2, idleSeconds: 60 }),
      between(10, '23:50', '2024-05-18T09:50', { distanceMeters: 300_000 }),
      between(11, '23:59', '2024-05-18T00:00'),
    ],
    driver,
  );
}

export const REASONS: readonly FailureReason[] = [
  'not found',
  'forbidden',
  'bad id',
  'refused',
  'unavailable',
  'internal error',
  'out of time',
];

/** Texts that backends really send. */
const DETAILS = [
  'mobile not found',
  undefined,
  'sealed by the court of the district, see the letter of 3 May, reference 2024/118-B, and ask the legal department first',
];

/** Everything that a report can hold. */
export function worstReport(): readonly DriverOutcome[] {
  return [
    ...DRIVERS.map((driver) => worstDay(driver)),
    worstDay(DRIVERS[0]),
    dayOf([]),
    ...REASONS.flatMap((reason, index) =>
      DETAILS.map((detail): DriverOutcome => {
        const driver = DRIVERS[index % DRIVERS.length] ?? DRIVER;
        return { kind: 'failed', driver, reason, detail };
      }),
    ),
  ];
}
