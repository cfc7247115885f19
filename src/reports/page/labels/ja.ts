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
import type { Words } from './en.js';

const DAYS = ['日', '月', '火', '水', '木', '金', '土'];

const lasting = (seconds: number): string => inUnits(seconds, ['時間', '分', '秒'], '');
const shortDate = (day: string): string => `${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`;

const faults: Readonly<Record<Parameters<Words['fault']>[0], string>> = {
  incomplete: '時刻が欠けているか、あり得ない値',
  duplicate: '同じ時刻',
  overlap: '時間が重複',
  'other day': '別の日の運行',
};
const failures: Readonly<Record<Parameters<Words['failure']>[0], string>> = {
  'not found': '移動局が見つかりません',
  forbidden: '許可されていません',
  'day not begun': 'この日はまだ始まっていません',
  'bad id': '移動局番号が使えません',
  refused: 'サービスが要求を拒否しました',
  unavailable: 'サービスの応答がなく、走行記録を取得できません',
  unreadable: 'サービスの応答を読み取れず、走行記録を取得できません',
  'internal error': '内部エラー',
  'out of time': '制限時間を過ぎたため取得していません',
  cancelled: '取り消されたため取得していません',
};
const rules: Words['rules'] = {
  'japan-2024': '改善基準告示（トラック）2024年4月',
  'eu-561': '規則(EC) No 561/2006',
  'eu-561-occasional': '規則(EC) No 561/2006（貸切旅客）',
};
const ruledFigures: Words['ruling']['figures'] = {
  continuous: '連続運転時間（最長）',
  duty: '拘束時間',
  daily: '勤務の運転時間',
  rest: '休息期間',
};

/** First day of the Gregorian calendar in Japan. */
const FIRST_GREGORIAN_DAY = '1873-01-01';
const ERA_YEAR = new Intl.DateTimeFormat('ja-JP-u-ca-japanese', { era: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * Returns the year of a day, `yyyy-mm-dd`, in its era, as `令和8年`; the first year of an era is 元年. Days before the
 * Gregorian calendar keep the common era.
 */
export function eraYear(day: string): string {
  return day < FIRST_GREGORIAN_DAY ? `${Number(day.slice(0, 4))}年` : ERA_YEAR.format(Date.parse(day));
}

/** Words of a report in Japanese. */
export const JA: Words = {
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
  standing: '運行中の停車',
  noRecord: '記録なし',
  tripTime: '所要時間',
  stops: '停車',
  overLimit: '制限超過',
  excluded: '除外',
  rest: ruledFigures.rest,
  departure: '出庫',
  return: '帰庫',
  lastStop: '現時点の最終停止',
  dutySoFar: '現時点の運行時間',
  notOver: (time) => `× ${time}時点の記録：この日は終わっていない`,
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
  readings: (count) => `測定${grouped(count)}点`,
  tripsOverLimit: (count, times) =>
    `▲ 制限超過の運行 ${grouped(count)}件${times.length === 0 ? '' : `（${times.join('、')}）`}`,
  tripsExcluded: (count) => `× 除外 ${grouped(count)}件`,
  fault: (fault, other) => `× 除外：${other === undefined ? '' : `No.${other}と`}${faults[fault]}`,
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
  doubtedOnPage: '≥、≤、‡：理由は乗務員のページに記載',
  brief: (numbers) => `¶ No.${numbers}は100 m未満かつ1分未満：出庫・帰庫とは限らない`,
  doubt: {
    of: (number, doubt) => `No.${number}：${doubt}`,
    distance: (told, way, isLine) => `走行距離 ${told} km・${isLine ? '直線' : '軌跡'} ${way} km`,
    driving: (told, moving, isMost) => `走行 ${told}・軌跡では${moving}${isMost ? '以下' : '以上'}`,
    slow: (told, least, way) => `走行 ${told}・${way} kmには${least}以上`,
    parked: (time, kmh) => `${time}は速度の平均 ${kmh} km/h・位置は100 m以内`,
    carried: (time, way) => `${time}は速度 0 km/h・位置は${way} km移動`,
    silence: (time) => `測定のない時間 ${time}`,
    top: (readings, kmh) => `${readings}（最高 ${kmh} km/h）は前後の位置が近すぎるため除外`,
    speeds: (measured, ofWay) => `速度の平均 ${measured} km/h・軌跡の平均 ${ofWay} km/h`,
  },
  unsupportedBy: (found) => `‡ 記録で裏付けられない値：${found.map((figure) => figure.join('、')).join('。')}`,
  over: {
    stretches: (count, minSeconds, longest, highest) =>
      `${minSeconds}秒以上 ${grouped(count)}回、最長 ${longest}、最高 ${highest} km/h`,
    noStretch: (minSeconds) => `${minSeconds}秒以上はなし`,
    readings: (readings) => `${readings}（時間は不明）`,
    uncounted: (trips) => `他に計上しない運行 ${grouped(trips)}件`,
    whole: (limitKmh, parts) => `▲ 制限${limitKmh} km/h超過：${parts.join('、') || '回数・時間は不明'}`,
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
  orderedBy: (user) => `依頼者 ${user}`,
  timesIn: (offset) => `時刻は${offset}`,
  offsetUntil: (before, time, after) => `${time}まで${before}、以後${after}`,
  pageNumber: (page) => [String(page), '/'],
  inFull: (label, text) => `${label}：${text}`,
  standIn: (codes) => `〓：この日報では印字できない文字${codes.length === 0 ? '' : `（${codes.join('、')}の氏名）`}`,
  rules,
  ruling: {
    figures: ruledFigures,
    atLeast: (least) => `${least}以上`,
    range: (ends) => ends.join('～'),
    article: (source) => source.map((part, index) => `第${part}${['条', '項', '号'][index] ?? ''}`).join(''),
    beyond: (limit, isRest) => `${limit}より${isRest ? '短い' : '長い'}`,
    maybe: (beyond) => `${beyond}可能性あり`,
    exceptionally: (beyond, exception, open) =>
      [`${beyond}、${exception}`, ...(open === undefined ? [] : [open])].join('。'),
    ofGap: '（直前の記録なしのため）',
    within: (limit, isRest) => `${limit}${isRest ? '以上' : '以内'}`,
    withinRecord: (limit) => `記録の範囲では${limit}より長くない`,
    withinMean: (mean) => `前の勤務との平均は${mean}以下`,
    noParking: (long) => `駐停車できない場合に限り${long}まで`,
    duty: '最大15:00、14:00超は週2回までが目安',
    far: (long, distance, returns) =>
      `。${long}までは450 km以上の運行で休息が住所地以外の場合のみ（この日は${distance} km${returns ? '、発地に帰着' : ''}）`,
    mean: (mean) => `2日平均で判定${mean === undefined ? '' : `（前の勤務との平均は${mean}以下）`}`,
    twiceAWeek: (long) => `週2回まで${long}`,
    longDistance: (long) => `長距離は週2回まで${long}`,
    betweenWeeklyRests: (long) => `週休の間に3回まで${long}`,
    guide: '。11:00以上が基本',
    whole: (figure, article, range, span, finding) =>
      `${figure}（${article}） ${range}${span === undefined ? '' : `（${span}）`}：${finding}`,
  },
  gapBefore: ({ gap, minutes }, time) => {
    const moved = gap?.kind === 'elsewhere' ? `（車両は${kilometers(Math.round(gap.meters / 100))} km移動）` : '';
    return `× ${time}の前${hoursAndMinutes(minutes)}は記録なし${moved}`;
  },
  rulesExplained: (weighed, hasRemarks) =>
    '幅は、運行中の停車、記録のない時間、短い休止、他の者が運転した可能性のある運行を含む場合と含まない場合による。' +
    '記録は運行のみで、ほかの業務、点呼、休止の理由は含まない。' +
    (weighed === 'japan-2024' ? '予期し得ない事象への対応時間' : '第12条の例外') +
    `は差し引いていない${hasRemarks ? '（備考欄に記入）' : ''}`,
  otherMobiles: (mobiles) => `同じ社員番号の移動局${mobiles.join('、')}と合わせて算定`,
  otherUnknown: (mobiles) => `× 同じ社員番号の移動局${mobiles.join('、')}の記録を取得できませんでした`,
  overlap: (time) => `× 2つの移動局の運行が重複（最初は${time}）：1人では同時に運転できない`,
  noPerson: '社員番号が9以上の移動局にあるため、この移動局だけで算定',
  // Sentences here have no full stop.
  gapOfSentences: '　',
  noneBefore: '0:00より前の24時間に運行なし',
  beforeUnknown: '0:00より前の24時間は不明',
  shared: '× この車両は複数の乗務員が使用。運転者は記録では不明',
  pagesBeyondRules: (count, weighed) => `▲ ${rules[weighed]}の限度を外れる ${grouped(count)}ページ`,
  date: (day, isInEra) => {
    const date = new Date(day);
    const year = isInEra ? eraYear(day) : `${day.slice(0, 4)}年`;
    return `${year}${shortDate(day)}（${DAYS[date.getUTCDay()]}）`;
  },
  drivers: '乗務員数',
  reports: '日報作成',
  notAvailable: '作成不可',
  driversOverLimit: '超過乗務員',
  failure: (reason, detail) => `× ${failures[reason]}${detail === undefined ? '' : `（${detail}）`}`,
  failedHeading: (count) => `× 作成できなかった日報 ${grouped(count)}件`,
  driversHeading: '乗務員一覧',
  noDrivers: '対象の乗務員がいません。',
  noDriversDetail: '依頼に乗務員が含まれていないため、報告する内容がありません。',
  page: 'ページ',
  chartAlternative: ({ top, average: mean, tripsOverLimit, overLimit }, limitKmh) =>
    `速度推移グラフ。最高 ${speed(top?.kmh ?? null)} km/h、平均 ${average(mean)} km/h、制限 ${limitKmh} km/h、` +
    `制限超過の運行 ${tripsOverLimit}件、${overLimit.stretches}回、${lasting(overLimit.seconds)}。`,
  bandAlternative: (totals, minutes, marked) => {
    const [standing, unrecorded] = minutes.map(hoursAndMinutes);
    const beyond = marked.length === 0 ? '' : `、▲ ${marked.join('、')}`;
    return (
      `24時間の帯。走行 ${drivingText(totals)}、運行中の停車 ${standing}、` +
      `休止 ${hoursAndMinutes(totals.breakMinutes)}、記録なし ${unrecorded}${beyond}。`
    );
  },
  routeAlternative: (totals) =>
    `走行軌跡。運行 ${totals.trips}件、総距離 ${distanceOf(totals)} km、走行時間 ${drivingText(totals)}。`,
};
