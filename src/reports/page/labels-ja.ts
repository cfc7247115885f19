import type { Fault } from '../day/day-trip.js';
import { average, grouped, hoursAndMinutes, kilometers, speed } from './number-format.js';
import type { Labels } from './labels.js';

const DAYS = ['日', '月', '火', '水', '木', '金', '土'];

/** The words of a Japanese report. */
export const JAPANESE: Labels = {
  title: '運転日報',
  coverTitle: '運転日報 総括表',
  continued: '続き',
  approvals: ['承認', '確認', '担当'],
  driver: '乗務員氏名',
  employeeCode: '社員番号',
  mobile: '移動局番号',
  hoursAndMinutes: '時:分',
  distance: '走行距離',
  dutySpan: '運行時間',
  driving: '走行時間',
  idling: 'アイドリング',
  breaks: '休止時間',
  tripTime: '所要時間',
  stops: '停車',
  overLimit: '制限超過',
  excluded: '除外',
  departure: '出庫',
  return: '帰庫',
  chart: '速度推移',
  route: '走行軌跡',
  trips: '運行明細',
  number: 'No.',
  start: '出発',
  end: '到着',
  total: '合計',
  top: '最高',
  average: '平均',
  tripCount: '運行数',
  limit: (kmh) => `制限 ${kmh}`,
  startMark: '発',
  endMark: '着',
  remarks: '備考',
  noTrips: 'この日の走行記録はありません。',
  noTripsDetail: (offset) => `0:00から24:00まで（${offset}）の運行データを受信していません。`,
  noSpeeds: '速度データを受信していません。',
  noPositions: '有効な位置データを受信していません。',
  straightLine: '破線：軌跡なし（直線）',
  tripsOverLimit: ({ tripsOverLimit, overLimit: { stretches, minutes } }) =>
    `▲ 制限超過 ${grouped(tripsOverLimit)}件（${grouped(stretches)}× ${hoursAndMinutes(minutes)}）`,
  tripsExcluded: (count) => `× 除外 ${grouped(count)}件`,
  fault: (fault, other) => `× 除外：${other === undefined ? '' : `No.${other}と`}${FAULTS[fault]}`,
  carriedOver: (day) => `前日からの継続：${shortDate(day)}出発分として計上済み`,
  driversListedTwice: (count) => `× 重複乗務員 ${grouped(count)}件`,
  listedTwice: (page) => `× 除外：同じ乗務員を${page}ページで計上済み`,
  topReported: '* 車両が報告した最高速度（軌跡の速度より大きい）',
  topOfTrack: '† 軌跡の最高速度（車両の報告より大きい）',
  overLimitNote: (limitKmh) => `▲ 制限${limitKmh} km/hの超過。下段は回数と合計時間（時:分）`,
  beyondDay: '▲ 時:分：24:00を超過',
  shortDate,
  leftOut: ({ positions, speeds, times, figures }) =>
    `あり得ない値のため除外：${[
      counted(positions, '位置'),
      counted(speeds, '速度'),
      counted(times, '時刻'),
      counted(figures, '数値'),
    ]
      .filter((part) => part !== '')
      .join('、')}`,
  created: '作成',
  timesIn: (offset) => `時刻は${offset}`,
  pageNumber: (page) => [String(page), '/'],
  pageTotal: (total) => String(total),
  date: (day) => {
    const date = new Date(`${day}T00:00:00Z`);
    const weekday = DAYS[date.getUTCDay()];
    return `${day.slice(0, 4)}年${date.getUTCMonth() + 1}月${date.getUTCDate()}日（${weekday}）`;
  },
  drivers: '乗務員数',
  reports: '日報作成',
  notAvailable: '作成不可',
  driversOverLimit: '超過乗務員',
  failedHeading: (count) => `作成できなかった日報 ${grouped(count)}件`,
  driversHeading: '乗務員一覧',
  noDrivers: '対象の乗務員がいません。',
  noDriversDetail: '依頼に乗務員が含まれていないため、報告する内容がありません。',
  page: 'ページ',
  chartAlternative: (totals, limitKmh) =>
    `速度推移グラフ。最高 ${speed(totals.top?.kmh ?? null)} km/h、平均 ${average(totals.average)} km/h、` +
    `制限 ${limitKmh} km/h、制限超過 ${totals.tripsOverLimit}件、` +
    `${totals.overLimit.stretches}回、${hoursAndMinutes(totals.overLimit.minutes)}。`,
  routeAlternative: (totals) =>
    `走行軌跡。運行 ${totals.trips}件、総距離 ${kilometers(totals.hectometers)} km、走行時間 ${hoursAndMinutes(totals.drivingMinutes)}。`,
};

const FAULTS: Readonly<Record<Fault, string>> = {
  incomplete: '時刻・距離・アイドリングのいずれかが欠けているか、あり得ない値',
  duplicate: '同じ時刻',
  overlap: '時間が重複',
  idling: 'アイドリングが所要時間より長い',
  'other day': '別の日の運行',
  'too fast': 'あり得ない速さ（距離と時間）',
};

function shortDate(day: string): string {
  return `${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`;
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${noun} ${grouped(count)}件`;
}
