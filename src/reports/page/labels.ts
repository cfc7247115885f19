import type { DayTotals } from '../day/day-totals.js';
import type { DayBreak, DayTrip, TimeFault, RecordGap, Unsupported } from '../day/day-trip.js';
import type { RuledFigure } from '../day/driving-rules.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import type { LeftOut } from '../day/plausible.js';
import type { OverLimit } from '../day/speed-series.js';
import { FORM_WORDS, type FormLabel } from '../report-form.js';
import type { CountedPage, FailureReason, ReportOptions } from '../model.js';
import {
  average,
  distanceOf,
  drivingText,
  grouped,
  hoursAndMinutes,
  inUnits,
  kilometers,
  speed,
} from './number-format.js';

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const DAYS = ['日', '月', '火', '水', '木', '金', '土'];

/** All words of a report in one language. */
export type Labels = ReturnType<typeof labelsIn>;

/** Returns the words of a report in a language; figures are the same in all. */
function labelsIn(locale: ReportOptions['locale']) {
  const say = (english: string, japanese: string): string => (locale === 'en' ? english : japanese);

  const lasting = (seconds: number): string =>
    locale === 'en' ? inUnits(seconds, [' h', ' min', ' s'], ' ') : inUnits(seconds, ['時間', '分', '秒'], '');
  /** Readings of unknown duration. */
  const readings = (count: number): string => say(counted(count, 'reading'), `測定${grouped(count)}点`);
  /** Day without its year, from `yyyy-mm-dd`. */
  const shortDate = (day: string): string => {
    const [month, date] = [Number(day.slice(5, 7)), Number(day.slice(8, 10))];
    return say(`${date} ${MONTH.format(Date.parse(day)).slice(0, 3)}`, `${month}月${date}日`);
  };
  const range = (least: number, most: number): string =>
    most === Infinity
      ? say(`at least ${hoursAndMinutes(least)}`, `${hoursAndMinutes(least)}以上`)
      : [...new Set([least, most])].map(hoursAndMinutes).join(say(' to ', '～'));

  const faults: Readonly<Record<TimeFault, string>> = {
    incomplete: say('a time is missing or cannot be true', '時刻が欠けているか、あり得ない値'),
    duplicate: say('the same times as', '同じ時刻'),
    overlap: say('overlaps', '時間が重複'),
    'other day': say('a trip of another day', '別の日の運行'),
  };
  const failures: Readonly<Record<FailureReason, string>> = {
    'not found': say('Mobile not found', '移動局が見つかりません'),
    forbidden: say('Not allowed', '許可されていません'),
    'day not begun': say('The day had not begun', 'この日はまだ始まっていません'),
    'bad id': say('Mobile id cannot be used', '移動局番号が使えません'),
    refused: say('The service refused the request', 'サービスが要求を拒否しました'),
    unavailable: say(
      'Driving record not available, the service did not answer',
      'サービスの応答がなく、走行記録を取得できません',
    ),
    unreadable: say(
      'Driving record not available, the answer of the service could not be read',
      'サービスの応答を読み取れず、走行記録を取得できません',
    ),
    'internal error': say('Internal error', '内部エラー'),
    'out of time': say('Not fetched, the time for this report was over', '制限時間を過ぎたため取得していません'),
    cancelled: say('Not fetched, this report was cancelled', '取り消されたため取得していません'),
  };
  const rules: Readonly<Record<WeighedPerson['rules'], string>> = {
    'japan-2024': say(
      'Improvement standards for trucks (改善基準告示), Japan, April 2024',
      '改善基準告示（トラック）2024年4月',
    ),
    'eu-561': say('Regulation (EC) No 561/2006', '規則(EC) No 561/2006'),
    'eu-561-occasional': say(
      'Regulation (EC) No 561/2006, occasional passenger services',
      '規則(EC) No 561/2006（貸切旅客）',
    ),
  };
  const ruledFigures: Readonly<Record<RuledFigure['kind'], string>> = {
    continuous: say('At the wheel without a break', '連続運転時間（最長）'),
    duty: say('On duty', '拘束時間'),
    daily: say('At the wheel in the duty', '勤務の運転時間'),
    rest: say('Rest', '休息期間'),
  };
  const form = Object.fromEntries(
    Object.entries(FORM_WORDS).map(([label, [english, japanese]]) => [label, say(english, japanese)]),
  ) as Readonly<Record<FormLabel, string>>; // fromEntries loses the names

  return {
    title: say('Daily driving report', '運転日報'),
    coverTitle: say('Daily driving reports', '運転日報 総括表'),
    continued: say('continued', '続き'),
    pageOfDriver: (page: number, pages: number) =>
      say(`Page ${page} of ${pages} of this driver`, `この乗務員の${page} / ${pages}ページ`),
    pageOfCover: (page: number, pages: number) =>
      say(`Page ${page} of ${pages} of this summary`, `総括表の${page} / ${pages}ページ`),
    inFullHeading: say('Texts that were cut, in full', '省略した文字の全文'),
    carriedForward: say('Carried forward', '前ページから繰越'),
    stamps: [say('Operations manager', '運行管理者'), say('Assistant', '補助者'), say('Driver', '運転者')],
    form,
    driver: say('Driver', '乗務員氏名'),
    employeeCode: say('Employee code', '社員番号'),
    mobile: say('Mobile', '移動局番号'),
    vehicle: say('Vehicle', '車両'),
    organisation: say('Organisation', '事業者'),
    hoursAndMinutes: say('h:mm', '時:分'),
    distance: say('Distance', '走行距離'),
    /** Time from first departure to last arrival: driving, idling and breaks. */
    dutySpan: say('Duty span', '運行時間'),
    /** Driving without idling. */
    driving: say('Driving', '走行時間'),
    idling: say('Idling', 'アイドリング'),
    breaks: say('Breaks', '休止時間'),
    standing: say('Standing in a trip', '運行中の停車'),
    noRecord: say('No record', '記録なし'),
    /** Time from start to end of a trip: driving and idling. */
    tripTime: say('Trip time', '所要時間'),
    stops: say('Stops', '停車'),
    overLimit: say('Over limit', '制限超過'),
    excluded: say('Excluded', '除外'),
    rest: ruledFigures.rest,
    departure: say('Departure', '出庫'),
    return: say('Return', '帰庫'),
    lastStop: say('Last stop so far', '現時点の最終停止'),
    dutySoFar: say('Duty so far', '現時点の運行時間'),
    /** @param time of the first fetch */
    notOver: (time: string) =>
      say(
        `× The day was not over: its trips are those known at ${time}.`,
        `× ${time}時点の記録：この日は終わっていない`,
      ),
    chart: say('Speed over time', '速度推移'),
    route: say('Route', '走行軌跡'),
    trips: say('Trips', '運行明細'),
    number: 'No.',
    start: say('Start', '出発'),
    end: say('End', '到着'),
    total: say('Total', '合計'),
    top: say('Top', '最高'),
    average: say('Average', '平均'),
    tripCount: say('Trips', '運行数'),
    limit: (kmh: number) => say(`Limit ${kmh}`, `制限 ${kmh}`),
    startMark: say('S', '発'),
    endMark: say('E', '着'),
    breaksHeading: say('Breaks between trips', '休止の内訳'),
    place: say('Place', '場所'),
    breakFrom: say('From', '開始'),
    breakTo: say('To', '終了'),
    breakKind: say('Kind', '区分'),
    breakCandidate: say('● break candidate', '● 休憩候補'),
    breakNote: (minutes: number) => say(`● ${minutes} minutes or longer`, `● ${minutes}分以上`),
    shorterBreaks: (count: number) => say(counted(count, 'shorter one'), `短い休止 ${grouped(count)}件`),
    gap: (gap: RecordGap) => {
      if (gap.kind === 'no time') {
        return say('× A trip beside it lacks a time: driving not recorded', '× 前後の運行に時刻なし：走行の記録なし');
      }
      const away = grouped(Math.round(gap.meters / 1000));
      return say(
        `× Next trip starts ${away} km away: driving not recorded`,
        `× 次の出発地が${away} km先：走行の記録なし`,
      );
    },
    gaps: (count: number) =>
      say(`× ${counted(count, 'gap')}: driving not recorded`, `× 走行の記録なし ${grouped(count)}件`),
    /** Part of the duty span that is neither driving, idling nor break. */
    unrecorded: (minutes: number) =>
      say(
        `× Duty span: ${hoursAndMinutes(minutes)} of it lies in excluded trips or was not recorded, and counts neither as driving nor as a break.`,
        `× 運行時間のうち${hoursAndMinutes(minutes)}は除外した運行または記録のない時間（走行にも休止にも含まない）`,
      ),
    addressesMissing: say(
      '× Addresses could not be looked up. Order this report again to get them.',
      '× 住所を取得できませんでした。日報を再度作成してください',
    ),
    driversWithoutAddresses: (count: number) =>
      say(
        `× Addresses of ${counted(count, 'driver')} could not be looked up`,
        `× 住所を取得できなかった乗務員 ${grouped(count)}名`,
      ),
    noTrips: say('No driving was recorded on this day.', 'この日の走行記録はありません。'),
    noTripsDetail: (offset: string) =>
      say(
        `The mobile reported no trip between 00:00 and 24:00 (${offset}).`,
        `0:00から24:00まで（${offset}）の運行データを受信していません。`,
      ),
    noSpeeds: say('No speed readings were received.', '速度データを受信していません。'),
    noPositions: say('No usable positions were received.', '有効な位置データを受信していません。'),
    straightLine: say('Dashed: no track, straight line', '破線：軌跡なし（直線）'),
    times: (count: number) => say(`${grouped(count)}×`, `${grouped(count)}回`),
    lasting,
    readings,
    /** @param times number and duration of the times over the limit */
    tripsOverLimit: (count: number, times: readonly string[]) =>
      say(
        [`▲ ${counted(count, 'trip')} over the limit`, ...times].join(', '),
        `▲ 制限超過の運行 ${grouped(count)}件${times.length === 0 ? '' : `（${times.join('、')}）`}`,
      ),
    tripsExcluded: (count: number) => say(`× ${counted(count, 'trip')} excluded`, `× 除外 ${grouped(count)}件`),
    /** Reason why a trip does not count. @param other number of the conflicting trip */
    fault: (fault: TimeFault, other: number | undefined) =>
      say(
        `× Excluded: ${faults[fault]}${other === undefined ? '' : ` trip ${other}`}.`,
        `× 除外：${other === undefined ? '' : `No.${other}と`}${faults[fault]}`,
      ),
    carriedOver: (day: string) =>
      say(
        `Carried over: began on ${shortDate(day)} and counts there.`,
        `前日からの継続：${shortDate(day)}出発分として計上済み`,
      ),
    driversListedTwice: (count: number) =>
      say(`× ${counted(count, 'driver')} listed again`, `× 重複乗務員 ${grouped(count)}件`),
    countedBefore: ({ page, isSame }: CountedPage) =>
      isSame
        ? say(`× Excluded: the same driver is counted on page ${page}.`, `× 除外：同じ乗務員を${page}ページで計上済み`)
        : say(
            `× The same vehicle with another driver is counted on page ${page}.`,
            `× 同じ車両（別の乗務員）を${page}ページで計上済み`,
          ),
    sharedVehicles: (count: number) =>
      say(
        `× ${counted(count, 'driver')} on a vehicle that is counted once`,
        `× 車両を共用する乗務員 ${grouped(count)}名（車両は1回だけ計上）`,
      ),
    /** Meanings of the marks behind a top speed or a distance. */
    topReported: say(
      '* Top speed that the vehicle reported; its track shows less.',
      '* 車両が報告した最高速度（軌跡の速度より大きい）',
    ),
    topOfTrack: say('† Top speed of the track; the vehicle reported less.', '† 軌跡の最高速度（車両の報告より大きい）'),
    /** @param distances numbers of the trips without a distance, empty if all have one; `idlings` likewise */
    lacking: (distances: string, idlings: string) => {
      const parts = [
        distances && say(`distance of No. ${distances}`, `走行距離 No.${distances}`),
        idlings && say(`idling of No. ${idlings}`, `アイドリング No.${idlings}`),
      ].filter(Boolean);
      return say(
        `§ Missing or cannot be true: ${parts.join('; ')}. ≥ sum without it; ≤ idling may be part of it.`,
        `§ 欠けているか、あり得ない値：${parts.join('、')}（≥：その分を含まない合計、≤：アイドリングを含み得る時間）`,
      );
    },
    doubtedOnPage: say('≥, ≤, ‡: the page of the driver says why.', '≥、≤、‡：理由は乗務員のページに記載'),
    brief: (numbers: string) =>
      say(
        `¶ No. ${numbers}: less than 100 m and less than a minute, which is no departure and no return for certain.`,
        `¶ No.${numbers}は100 m未満かつ1分未満：出庫・帰庫とは限らない`,
      ),
    /** @param trip its number and reported figures */
    unsupported: (number: number, found: Unsupported, { hectometers, minutes, idleMinutes }: DayTrip) => {
      const of = (english: string, japanese: string): string =>
        say(`No. ${number}: ${english}`, `No.${number}：${japanese}`);
      if (found.figure === 'distance') {
        const [told, way] = [kilometers(hectometers), kilometers(found.way)];
        return of(
          `distance ${told} km, ${found.isLine ? 'straight line' : 'track'} ${way} km`,
          `走行距離 ${told} km・${found.isLine ? '直線' : '軌跡'} ${way} km`,
        );
      }
      if (found.figure === 'driving') {
        const [told, moving] = [hoursAndMinutes((minutes ?? 0) - (idleMinutes ?? 0)), hoursAndMinutes(found.moving)];
        return of(
          `driving ${told}, track at ${found.isMost ? 'most' : 'least'} ${moving}`,
          `走行 ${told}・軌跡では${moving}${found.isMost ? '以下' : '以上'}`,
        );
      }
      switch (found.figure) {
        case 'slow': {
          const told = hoursAndMinutes((minutes ?? 0) - (idleMinutes ?? 0));
          const [least, way] = [hoursAndMinutes(found.moving), kilometers(hectometers)];
          return of(`driving ${told}, at least ${least} for ${way} km`, `走行 ${told}・${way} kmには${least}以上`);
        }
        case 'parked': {
          const [time, kmh] = [hoursAndMinutes(found.minutes), found.kmh];
          return of(`${time} at ${kmh} km/h within 100 m`, `${time}は速度の平均 ${kmh} km/h・位置は100 m以内`);
        }
        case 'carried': {
          const [time, way] = [hoursAndMinutes(found.minutes), kilometers(found.way)];
          return of(`${time} at 0 km/h over ${way} km`, `${time}は速度 0 km/h・位置は${way} km移動`);
        }
        case 'silence': {
          const silence = hoursAndMinutes(found.minutes);
          return of(`no reading for ${silence}`, `測定のない時間 ${silence}`);
        }
        case 'top':
          return of(
            `${readings(found.readings)} up to ${found.kmh} km/h left out: the places beside them are too near`,
            `${readings(found.readings)}（最高 ${found.kmh} km/h）は前後の位置が近すぎるため除外`,
          );
        case 'speeds':
          return of(
            `mean of its speeds ${found.measured} km/h, of its way ${found.ofWay} km/h`,
            `速度の平均 ${found.measured} km/h・軌跡の平均 ${found.ofWay} km/h`,
          );
      }
    },
    /** @param found trips by their figure */
    unsupportedBy: (found: readonly (readonly string[])[]) =>
      say(
        `‡ The record does not support the figure: ${found.map((figure) => figure.join('; ')).join('. ')}.`,
        `‡ 記録で裏付けられない値：${found.map((figure) => figure.join('、')).join('。')}`,
      ),
    /** @param minSeconds minimum time that counts as a stretch. @param uncounted trips over the limit in no sum */
    overLimitNote: (limitKmh: number, minSeconds: number, overLimit: OverLimit, uncounted: number) => {
      const { stretches, seconds, longest, highest, readings: count } = overLimit;
      const parts: string[] = [];
      const [often, long, trips] = [counted(stretches, 'time'), lasting(longest), counted(uncounted, 'trip')];
      const known = say(
        `${often} for ${minSeconds} s or longer, longest ${long}, highest ${highest}`,
        `${minSeconds}秒以上 ${grouped(stretches)}回、最長 ${long}、最高 ${highest} km/h`,
      );
      if (stretches > 0) parts.push(known);
      else if (seconds > 0) parts.push(say(`never for ${minSeconds} s or longer`, `${minSeconds}秒以上はなし`));
      if (count > 0) parts.push(readings(count) + say(', for how long is not known', '（時間は不明）'));
      if (uncounted > 0) {
        parts.push(say(`${trips} over the limit not counted here`, `他に計上しない運行 ${grouped(uncounted)}件`));
      }
      return say(
        `▲ Over ${limitKmh} km/h: ${parts.join('; ') || 'how often is not known'}.`,
        `▲ 制限${limitKmh} km/h超過：${parts.join('、') || '回数・時間は不明'}`,
      );
    },
    beyondDay: say('▲ h:mm: more than 24:00.', '▲ 時:分：24:00を超過'),
    shortDate,
    /** Day without its year for a narrow column. */
    tinyDate: (day: string) => say(shortDate(day), `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`),
    leftOut: ({ positions, speeds, times, figures }: LeftOut) => {
      const counts = [
        [positions, 'position', '位置'],
        [speeds, 'speed reading', '速度'],
        [times, 'time', '時刻'],
        [figures, 'figure', '数値'],
      ] as const;
      const parts = counts.flatMap(([count, noun, japanese]) =>
        count === 0 ? [] : [say(counted(count, noun), `${japanese} ${grouped(count)}件`)],
      );
      return say(
        `Left out because they cannot be true: ${parts.join(', ')}.`,
        `あり得ない値のため除外：${parts.join('、')}`,
      );
    },
    created: say('Created', '作成'),
    orderedBy: (user: string) => say(`Ordered by ${user}`, `依頼者 ${user}`),
    timesIn: (offset: string) => say(`All times ${offset}`, `時刻は${offset}`),
    /** Offsets before and after a change of the clocks, and the time that clocks show just before it. */
    offsetUntil: (before: string, time: string, after: string) =>
      say(`${before} until ${time}, then ${after}`, `${time}まで${before}、以後${after}`),
    pageNumber: (page: number) => (locale === 'en' ? ['Page', String(page), 'of'] : [String(page), '/']),
    inFull: (label: string, text: string) => say(`${label}: ${text}`, `${label}：${text}`),
    /** @param codes of the people in whose names they are */
    standIn: (codes: readonly string[]) => {
      const [names, japanese] =
        codes.length === 0 ? ['', ''] : [`, in the name of ${codes.join(', ')}`, `（${codes.join('、')}の氏名）`];
      return say(`〓: letters this report cannot print${names}.`, `〓：この日報では印字できない文字${japanese}`);
    },
    rules,
    /** Figure of a duty from its least to its greatest value, and how it lies to its limits. */
    ruled: (figure: RuledFigure, span: string, { totals, away = Infinity }: WeighedPerson['way']) => {
      const { kind, least, most, usual, longest, source, isOpen, isOfGap, mean = null, mark } = figure;
      const isRest = kind === 'rest';
      const [long, short, means] = [longest, usual, mean].map(hoursAndMinutes);
      const [worst, isWorse] = isRest ? [least, least < longest] : [most, most > longest];
      const beyond = (limit = ''): string =>
        isRest ? say(`shorter than ${limit}`, `${limit}より短い`) : say(`longer than ${limit}`, `${limit}より長い`);
      const maybe = (limit = ''): string => say(`may be ${beyond(limit)}`, `${beyond(limit)}可能性あり`);
      const returns = away < 1_000 ? say(' and ends where it began', '、発地に帰着') : '';
      const far = say(
        `; ${long} only if this day belongs to a run of 450 km or more with the rest away from home; ` +
          `this day has ${distanceOf(totals)} km${returns}`,
        `。${long}までは450 km以上の運行で休息が住所地以外の場合のみ（この日は${distanceOf(totals)} km${returns}）`,
      );
      const exceptions = {
        continuous: say(`up to ${long} where no parking place was found`, `駐停車できない場合に限り${long}まで`),
        duty:
          say('up to 15:00, longer than 14:00 twice a week as a guide (目安)', '最大15:00、14:00超は週2回までが目安') +
          (most > 15 * 60 ? far : ''),
        daily:
          longest > 12 * 60
            ? say('the mean of two days counts', '2日平均で判定') +
              (mean === null
                ? ''
                : say(`: at most ${means} with the duty before`, `（前の勤務との平均は${means}以下）`))
            : say(`up to ${long} twice a week`, `週2回まで${long}`),
        rest:
          longest < 9 * 60
            ? say(`${long} twice a week on long distances`, `長距離は週2回まで${long}`)
            : say(`${long} three times between weekly rests`, `週休の間に3回まで${long}`),
      };
      const [first, ...parts] = source;
      const article = say(
        `Art. ${first}${parts.map((part) => `(${part})`).join('')}`,
        source.map((part, index) => `第${part}${['条', '項', '号'][index] ?? ''}`).join(''),
      );
      const within = isRest
        ? say(`${short} or longer`, `${short}以上`)
        : mean !== null && worst > usual
          ? say(`the mean with the duty before is at most ${means}`, `前の勤務との平均は${means}以下`)
          : isOpen
            ? say(`not longer than ${short} so far as recorded`, `記録の範囲では${short}より長くない`)
            : say(`not longer than ${short}`, `${short}以内`);
      const findings = {
        '▲': beyond(long),
        '△':
          say(`${beyond(short)}, ${exceptions[kind]}`, `${beyond(short)}、${exceptions[kind]}`) +
          (isWorse ? say('; ', '。') + maybe(long) : ''),
        '?':
          maybe(isWorse ? long : short) +
          (isOfGap ? say(', only because of the gap before', '（直前の記録なしのため）') : ''),
        '': within,
      };
      const guide = isRest && longest < 9 * 60 ? say('; 11:00 where possible', '。11:00以上が基本') : '';
      return say(
        `${ruledFigures[kind]} (${article}) ${range(least, most)}${isRest ? '' : `, ${span}`}: ${findings[mark]}${guide}.`,
        `${ruledFigures[kind]}（${article}） ${range(least, most)}${isRest ? '' : `（${span}）`}：${findings[mark]}${guide}`,
      );
    },
    gapBefore: ({ gap, minutes }: DayBreak, time: string) => {
      const length = hoursAndMinutes(minutes);
      const moved = gap?.kind === 'elsewhere' ? kilometers(Math.round(gap.meters / 100)) : undefined;
      return say(
        `× ${length} without a record before ${time}` +
          (moved === undefined ? '.' : `; the vehicle moved ${moved} km.`),
        `× ${time}の前${length}は記録なし` + (moved === undefined ? '' : `（車両は${moved} km移動）`),
      );
    },
    /** @param hasRemarks true if the form has a box for remarks */
    rulesExplained: (weighed: WeighedPerson['rules'], hasRemarks: boolean) => {
      const isJapan = weighed === 'japan-2024';
      return say(
        'Stands within trips, gaps, short pauses and trips that somebody else may have driven count in one end of a figure ' +
          'only. Only trips are recorded: no other work, no roll call, no reason of a break. Nothing is deducted for unforeseen events ' +
          (isJapan ? '(予期し得ない事象)' : '(Article 12)') +
          (hasRemarks ? ': see the remarks.' : '.'),
        '幅は、運行中の停車、記録のない時間、短い休止、他の者が運転した可能性のある運行を含む場合と含まない場合による。' +
          '記録は運行のみで、ほかの業務、点呼、休止の理由は含まない。' +
          (isJapan ? '予期し得ない事象への対応時間' : '第12条の例外') +
          `は差し引いていない${hasRemarks ? '（備考欄に記入）' : ''}`,
      );
    },
    otherMobiles: (mobiles: readonly string[]) =>
      say(
        `Weighed together with mobile ${mobiles.join(', ')} of the same employee code.`,
        `同じ社員番号の移動局${mobiles.join('、')}と合わせて算定`,
      ),
    otherUnknown: (mobiles: readonly string[]) =>
      say(
        `× The record of mobile ${mobiles.join(', ')} of the same employee code could not be fetched.`,
        `× 同じ社員番号の移動局${mobiles.join('、')}の記録を取得できませんでした`,
      ),
    overlap: (time: string) =>
      say(
        `× Trips on two mobiles overlap, first at ${time}: one person cannot have driven both.`,
        `× 2つの移動局の運行が重複（最初は${time}）：1人では同時に運転できない`,
      ),
    noPerson: say(
      'The employee code is on more than eight mobiles: only this one is weighed.',
      '社員番号が9以上の移動局にあるため、この移動局だけで算定',
    ),
    /** Space between two sentences; Japanese ones here have no full stop. */
    gapOfSentences: say(' ', '　'),
    noneBefore: say('No trip in the 24 hours before 00:00.', '0:00より前の24時間に運行なし'),
    beforeUnknown: say('The 24 hours before 00:00 are not known.', '0:00より前の24時間は不明'),
    shared: say(
      '× This vehicle had two drivers or more. The record does not say who drove.',
      '× この車両は複数の乗務員が使用。運転者は記録では不明',
    ),
    pagesBeyondRules: (count: number, weighed: WeighedPerson['rules']) =>
      say(
        `▲ ${counted(count, 'page')} beyond a limit of ${rules[weighed]}`,
        `▲ ${rules[weighed]}の限度を外れる ${grouped(count)}ページ`,
      ),
    /** Formats `yyyy-mm-dd`. @param isInEra true for years of the Japanese era, which only Japanese has */
    date: (day: string, isInEra: boolean) => {
      const date = new Date(day);
      const [year, month, number] = [day.slice(0, 4), date.getUTCMonth() + 1, date.getUTCDate()];
      return locale === 'en'
        ? `${WEEKDAY.format(date)}, ${number} ${MONTH.format(date)} ${year}`
        : `${isInEra ? eraYear(day) : `${year}年`}${month}月${number}日（${DAYS[date.getUTCDay()]}）`;
    },
    drivers: say('Drivers', '乗務員数'),
    reports: say('Reports', '日報作成'),
    notAvailable: say('Not available', '作成不可'),
    driversOverLimit: say('Drivers over limit', '超過乗務員'),
    failure: (reason: FailureReason, detail: string | undefined) =>
      `× ${failures[reason]}${detail === undefined ? '' : say(`: ${detail}`, `（${detail}）`)}`,
    failedHeading: (count: number) =>
      say(`× ${counted(count, 'report')} could not be made`, `× 作成できなかった日報 ${grouped(count)}件`),
    driversHeading: say('Drivers', '乗務員一覧'),
    noDrivers: say('No driver was requested.', '対象の乗務員がいません。'),
    noDriversDetail: say(
      'The request named no drivers, so there is nothing to report.',
      '依頼に乗務員が含まれていないため、報告する内容がありません。',
    ),
    page: say('Page', 'ページ'),
    chartAlternative: ({ top, average: mean, tripsOverLimit, overLimit }: DayTotals, limitKmh: number) => {
      const [highest, usual, long] = [speed(top?.kmh ?? null), average(mean), lasting(overLimit.seconds)];
      return say(
        `Speed over time. Top ${highest} km/h, average ${usual} km/h, limit ${limitKmh} km/h, ` +
          `${counted(tripsOverLimit, 'trip')} over the limit, ${overLimit.stretches} times, ${long}.`,
        `速度推移グラフ。最高 ${highest} km/h、平均 ${usual} km/h、制限 ${limitKmh} km/h、` +
          `制限超過の運行 ${tripsOverLimit}件、${overLimit.stretches}回、${long}。`,
      );
    },
    /** @param minutes of standing within trips, and without a record. @param marked times with ▲ */
    bandAlternative: (totals: DayTotals, minutes: readonly number[], marked: readonly string[]) => {
      const [standing, unrecorded] = minutes.map(hoursAndMinutes);
      const [driving, breaks] = [drivingText(totals), hoursAndMinutes(totals.breakMinutes)];
      const beyond = marked.length === 0 ? '' : say(`, ▲ ${marked.join(', ')}`, `、▲ ${marked.join('、')}`);
      return say(
        `The 24 hours: driving ${driving}, standing in trips ${standing}, breaks ${breaks}, no record ${unrecorded}${beyond}.`,
        `24時間の帯。走行 ${driving}、運行中の停車 ${standing}、休止 ${breaks}、記録なし ${unrecorded}${beyond}。`,
      );
    },
    routeAlternative: (totals: DayTotals) => {
      const [distance, driving] = [distanceOf(totals), drivingText(totals)];
      return say(
        `Route of ${counted(totals.trips, 'trip')}, ${distance} km in ${driving} hours.`,
        `走行軌跡。運行 ${totals.trips}件、総距離 ${distance} km、走行時間 ${driving}。`,
      );
    },
  };
}

export const LABELS: Readonly<Record<ReportOptions['locale'], Labels>> = { en: labelsIn('en'), ja: labelsIn('ja') };

/** Formats a number with its English noun, in the plural unless it is 1. */
function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

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
