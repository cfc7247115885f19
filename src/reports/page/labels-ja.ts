import type { Fault } from '../day/day-trip.js';
import type { RuledFigure } from '../day/driving-rules.js';
import type { FailureReason } from '../model.js';
import type { Labels } from './labels-en.js';
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

const DAYS = ['日', '月', '火', '水', '木', '金', '土'];

/** Japanese words of a report. */
export const JAPANESE: Labels = {
  title: '運転日報',
  coverTitle: '運転日報 総括表',
  continued: '続き',
  pageOfDriver: (page, pages) => `この乗務員の${page} / ${pages}ページ`,
  pageOfCover: (page, pages) => `総括表の${page} / ${pages}ページ`,
  inFullHeading: '省略した文字の全文',
  carriedForward: '前ページから繰越',
  stamps: ['運行管理者', '補助者', '運転者'],
  form: {
    registration: '登録番号',
    rollCall: '点呼・酒気帯び確認',
    before: '乗務前',
    after: '乗務後',
    by: '実施者',
    time: '時刻',
    method: '方法',
    result: '結果',
    odometerOut: '出庫時メーター',
    odometerIn: '帰庫時メーター',
    odometerDifference: '差',
    measured: '計測した走行距離',
    weather: '天候',
    load: '積荷',
    changeOfDriver: '運転者の交替',
    incident: '事故・遅延',
    waypoints: '主な経過地点',
    instructions: '運行指示書の指示',
    remarks: '備考',
    rest: '休憩・睡眠',
    waiting: '荷待ち',
    loading: '積込み',
    unloading: '取卸し',
    ancillary: '附帯業務',
    pickup: '集貨地点等',
    consignor: '荷主の確認 有・無',
    arrival: '到着',
    begin: '開始',
    end: '終了',
  },
  driver: '乗務員氏名',
  employeeCode: '社員番号',
  mobile: '移動局番号',
  vehicle: '車両',
  organisation: '事業者',
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
  breaksHeading: '休止の内訳',
  place: '場所',
  breakFrom: '開始',
  breakTo: '終了',
  breakKind: '区分',
  breakCandidate: '● 休憩候補',
  breakNote: (minutes) => `● ${minutes}分以上`,
  shorterBreaks: (count) => `短い休止 ${grouped(count)}件`,
  gap: (gap) =>
    gap.kind === 'no time'
      ? '× 前後の運行に時刻なし：走行の記録なし'
      : `× 次の出発地が${grouped(Math.round(gap.meters / 1000))} km先：走行の記録なし`,
  gaps: (count) => `× 走行の記録なし ${grouped(count)}件`,
  unrecorded: (minutes) =>
    `× 運行時間のうち${hoursAndMinutes(minutes)}は除外した運行または記録のない時間（走行にも休止にも含まない）`,
  addressesMissing: '× 住所を取得できませんでした。日報を再度作成してください',
  driversWithoutAddresses: (count) => `× 住所を取得できなかった乗務員 ${grouped(count)}名`,
  noTrips: 'この日の走行記録はありません。',
  noTripsDetail: (offset) => `0:00から24:00まで（${offset}）の運行データを受信していません。`,
  noSpeeds: '速度データを受信していません。',
  noPositions: '有効な位置データを受信していません。',
  straightLine: '破線：軌跡なし（直線）',
  times: (count) => `${grouped(count)}回`,
  lasting,
  tripsOverLimit: (count, times) =>
    `▲ 制限超過の運行 ${grouped(count)}件${times.length === 0 ? '' : `（${times.join('、')}）`}`,
  readings,
  tripsExcluded: (count) => `× 除外 ${grouped(count)}件`,
  fault: (fault, other) => `× 除外：${other === undefined ? '' : `No.${other}と`}${FAULTS[fault]}`,
  carriedOver: (day) => `前日からの継続：${shortDate(day)}出発分として計上済み`,
  driversListedTwice: (count) => `× 重複乗務員 ${grouped(count)}件`,
  countedBefore: ({ page, isSame }) =>
    isSame ? `× 除外：同じ乗務員を${page}ページで計上済み` : `× 同じ車両（別の乗務員）を${page}ページで計上済み`,
  sharedVehicles: (count) => `× 車両を共用する乗務員 ${grouped(count)}名（車両は1回だけ計上）`,
  topReported: '* 車両が報告した最高速度（軌跡の速度より大きい）',
  topOfTrack: '† 軌跡の最高速度（車両の報告より大きい）',
  lacking: (distances, idlings) => {
    const parts = [distances && `走行距離 No.${distances}`, idlings && `アイドリング No.${idlings}`].filter(Boolean);
    return `§ 欠けているか、あり得ない値：${parts.join('、')}（≥：その分を含まない合計、≤：アイドリングを含み得る時間）`;
  },
  unsupported: (number, found, { hectometers, minutes, idleMinutes }) => {
    if (found.figure === 'distance') {
      const way = `${kilometers(found.way)} km`;
      return `No.${number}：走行距離 ${kilometers(hectometers)} km・${found.isLine ? '直線' : '軌跡'} ${way}`;
    }
    if (found.figure === 'driving') {
      const driving = hoursAndMinutes((minutes ?? 0) - (idleMinutes ?? 0));
      return `No.${number}：走行 ${driving}・軌跡では${hoursAndMinutes(found.moving)}${found.isMost ? '以下' : '以上'}`;
    }
    if (found.figure === 'silence') return `No.${number}：測定のない時間 ${hoursAndMinutes(found.minutes)}`;
    return found.figure === 'top'
      ? `No.${number}：${readings(found.readings)}（最高 ${found.kmh} km/h）は前後の位置が近すぎるため除外`
      : `No.${number}：速度の平均 ${found.measured} km/h・軌跡の平均 ${found.ofWay} km/h`;
  },
  unsupportedBy: (found) => `‡ 軌跡で裏付けられない値：${found.join('、')}`,
  overLimitNote: (limitKmh, minSeconds, { stretches, seconds, longest, highest, readings: count }, uncounted) => {
    const known =
      stretches > 0
        ? [`${minSeconds}秒以上 ${grouped(stretches)}回、最長 ${lasting(longest)}、最高 ${highest} km/h`]
        : seconds > 0
          ? [`${minSeconds}秒以上はなし`]
          : [];
    const parts = [...known, ...(count > 0 ? [`${readings(count)}（時間は不明）`] : [])];
    if (uncounted > 0) parts.push(`他に計上しない運行 ${grouped(uncounted)}件`);
    return `▲ 制限${limitKmh} km/h超過：${parts.length === 0 ? '回数・時間は不明' : parts.join('、')}`;
  },
  beyondDay: '▲ 時:分：24:00を超過',
  shortDate,
  tinyDate: (day) => `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`,
  leftOut: ({ positions, speeds, times, figures }) => {
    const counts = { 位置: positions, 速度: speeds, 時刻: times, 数値: figures };
    const parts = Object.entries(counts).flatMap(([noun, count]) =>
      count === 0 ? [] : [`${noun} ${grouped(count)}件`],
    );
    return `あり得ない値のため除外：${parts.join('、')}`;
  },
  created: '作成',
  timesIn: (offset) => `時刻は${offset}`,
  offsetUntil: (before, time, after) => `${time}まで${before}、以後${after}`,
  pageNumber: (page) => [String(page), '/'],
  inFull: (label, text) => `${label}：${text}`,
  standIn: '〓：この日報では印字できない文字',
  rules: {
    'japan-2024': '改善基準告示（トラック）2024年4月',
    'eu-561': '規則(EC) No 561/2006',
    'eu-561-occasional': '規則(EC) No 561/2006（貸切旅客）',
  },
  ruled: ({ kind, least, most, usual, longest, source, isOpen, mark }, span) => {
    const article = source.map((part, index) => `第${part}${['条', '項', '号'][index] ?? ''}`).join('');
    const values = [...new Set([least, most])].map(hoursAndMinutes).join('～');
    const findings = {
      '▲': `${hoursAndMinutes(longest)}より長い`,
      '△': `${hoursAndMinutes(usual)}より長い、${EXCEPTIONS[kind](longest)}${most > longest ? `。${hoursAndMinutes(longest)}より長い可能性あり` : ''}`,
      '?': `${hoursAndMinutes(most > longest ? longest : usual)}より長い可能性あり`,
      '': isOpen ? `記録の範囲では${hoursAndMinutes(usual)}より長くない` : `${hoursAndMinutes(usual)}以内`,
    };
    return `${RULED[kind]}（${article}） ${values}（${span}）：${findings[mark]}`;
  },
  restBefore: ({ least, most }) =>
    `出発前の最長の停止 ${[...new Set([least, most])].map(hoursAndMinutes).join('～')}（休息期間：9:00以上、11:00以上が基本）`,
  rulesExplained: (rules, hasRemarks) =>
    '幅は、運行中の停車、記録のない時間、短い休止、他の者が運転した可能性のある運行を含む場合と含まない場合による。' +
    '記録は運行のみで、ほかの業務、点呼、休止の理由は含まない。' +
    (rules === 'japan-2024' ? '予期し得ない事象への対応時間' : '第12条の例外') +
    `は差し引いていない${hasRemarks ? '（備考欄に記入）' : ''}`,
  otherMobiles: (mobiles) => `同じ社員番号の移動局${mobiles.join('、')}と合わせて算定`,
  otherUnknown: '× 同じ社員番号の別の移動局の記録を取得できませんでした',
  noPerson: '社員番号が9以上の移動局にあるため、この移動局だけで算定',
  beforeUnknown: '0:00より前の24時間は不明',
  shared: '× この車両は複数の乗務員が使用。運転者は記録では不明',
  driversBeyondRules: (count, rules) => `▲ ${JAPANESE.rules[rules]}の時間より長い ${grouped(count)}名`,
  date: (day, isInEra) => {
    const date = new Date(`${day}T00:00:00Z`);
    const weekday = DAYS[date.getUTCDay()];
    return `${isInEra ? eraYear(day) : `${day.slice(0, 4)}年`}${date.getUTCMonth() + 1}月${date.getUTCDate()}日（${weekday}）`;
  },
  drivers: '乗務員数',
  reports: '日報作成',
  notAvailable: '作成不可',
  driversOverLimit: '超過乗務員',
  failure: (reason, detail) => `× ${FAILURES[reason]}${detail === undefined ? '' : `（${detail}）`}`,
  failedHeading: (count) => `作成できなかった日報 ${grouped(count)}件`,
  driversHeading: '乗務員一覧',
  noDrivers: '対象の乗務員がいません。',
  noDriversDetail: '依頼に乗務員が含まれていないため、報告する内容がありません。',
  page: 'ページ',
  chartAlternative: (totals, limitKmh) =>
    `速度推移グラフ。最高 ${speed(totals.top?.kmh ?? null)} km/h、平均 ${average(totals.average)} km/h、` +
    `制限 ${limitKmh} km/h、制限超過の運行 ${totals.tripsOverLimit}件、` +
    `${totals.overLimit.stretches}回、${lasting(totals.overLimit.seconds)}。`,
  routeAlternative: (totals) =>
    `走行軌跡。運行 ${totals.trips}件、総距離 ${distanceOf(totals)} km、走行時間 ${drivingOf(totals)}。`,
};

const FAULTS: Readonly<Record<Fault, string>> = {
  incomplete: '時刻が欠けているか、あり得ない値',
  duplicate: '同じ時刻',
  overlap: '時間が重複',
  'other day': '別の日の運行',
};

const FAILURES: Readonly<Record<FailureReason, string>> = {
  'not found': '移動局が見つかりません',
  forbidden: '許可されていません',
  'bad id': '移動局番号が使えません',
  refused: 'サービスが要求を拒否しました',
  unavailable: 'サービスの応答がなく、走行記録を取得できません',
  unreadable: 'サービスの応答を読み取れず、走行記録を取得できません',
  'internal error': '内部エラー',
  'out of time': '制限時間を過ぎたため取得していません',
  cancelled: '取り消されたため取得していません',
};

const RULED: Readonly<Record<RuledFigure['kind'], string>> = {
  continuous: '連続運転時間（最長）',
  duty: '拘束時間',
  daily: '勤務の運転時間',
};
const EXCEPTIONS: Readonly<Record<RuledFigure['kind'], (longest: number) => string>> = {
  continuous: (longest) => `駐停車できない場合に限り${hoursAndMinutes(longest)}まで`,
  duty: (longest) => `最大15:00（長距離は週2回${hoursAndMinutes(longest)}）`,
  daily: (longest) => (longest > 12 * 60 ? '2日平均で判定' : `週2回まで${hoursAndMinutes(longest)}`),
};

function lasting(seconds: number): string {
  return inUnits(seconds, ['時間', '分', '秒'], '');
}

function readings(count: number): string {
  return `測定${grouped(count)}点`;
}

function shortDate(day: string): string {
  return `${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`;
}

/** First day of the Gregorian calendar in Japan. */
const FIRST_GREGORIAN_DAY = '1873-01-01';
const ERA_YEAR = new Intl.DateTimeFormat('ja-JP-u-ca-japanese', { era: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * Returns the year of a day in its era, as `令和8年`; the first year of an era is 元年. Days before the Gregorian
 * calendar keep the common era.
 *
 * @param day `yyyy-mm-dd`
 */
export function eraYear(day: string): string {
  return day < FIRST_GREGORIAN_DAY ? `${Number(day.slice(0, 4))}年` : ERA_YEAR.format(Date.parse(day));
}
