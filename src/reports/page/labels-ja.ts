import { average, duration, grouped, kilometers, speed } from './number-format.js';
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
  drivingTime: '走行時間',
  duration: '時間',
  stops: '停車回数',
  stopCount: '停車',
  topSpeed: '最高速度',
  averageSpeed: '平均速度',
  idle: 'アイドル',
  idleTime: 'アイドリング',
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
  tripsOverLimit: (count) => `▲ 制限超過 ${count}件`,
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
    `速度推移グラフ。最高 ${speed(totals.topKmh)} km/h、平均 ${average(totals.averageKmh)} km/h、` +
    `制限 ${limitKmh} km/h、制限超過 ${totals.tripsOverLimit}件。`,
  routeAlternative: (totals) =>
    `走行軌跡。運行 ${totals.trips}件、総距離 ${kilometers(totals.meters)} km、走行時間 ${duration(totals.seconds)}。`,
};

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${noun} ${grouped(count)}件`;
}
