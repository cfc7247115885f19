/** Parts of a page that are filled in by hand, in their order on the page. */
export const FORM_BLOCKS = ['rollCall', 'odometer', 'conditions', 'remarks'] as const;
export type FormBlock = (typeof FORM_BLOCKS)[number];

/** Labels of the spaces filled in by hand, except the stamps, in English and in Japanese. */
export const FORM_WORDS = {
  registration: ['Registration number', '登録番号'],
  rollCall: ['Roll call, alcohol check', '点呼・酒気帯び確認'],
  before: ['Before duty', '乗務前'],
  after: ['After duty', '乗務後'],
  by: ['Done by', '実施者'],
  time: ['Time', '時刻'],
  method: ['Method', '方法'],
  result: ['Result', '結果'],
  odometerOut: ['Odometer out', '出庫時メーター'],
  odometerIn: ['Odometer in', '帰庫時メーター'],
  odometerDifference: ['Difference', '差'],
  measured: ['Measured distance', '計測した走行距離'],
  weather: ['Weather', '天候'],
  load: ['Load', '積荷'],
  changeOfDriver: ['Change of driver', '運転者の交替'],
  incident: ['Accident or delay', '事故・遅延'],
  waypoints: ['Main points on the way', '主な経過地点'],
  instructions: ['Instructions of the order', '運行指示書の指示'],
  remarks: ['Remarks', '備考'],
  rest: ['break or sleep', '休憩・睡眠'],
  waiting: ['waiting', '荷待ち'],
  loading: ['loading', '積込み'],
  unloading: ['unloading', '取卸し'],
  ancillary: ['ancillary work', '附帯業務'],
  pickup: ['place of pickup', '集貨地点等'],
  consignor: ['consignor: yes / no', '荷主の確認 有・無'],
  arrival: ['arr.', '到着'],
  begin: ['begin', '開始'],
  end: ['end', '終了'],
} as const;
export type FormLabel = keyof typeof FORM_WORDS;
export const FORM_LABELS = Object.keys(FORM_WORDS) as FormLabel[]; // keys of a literal

/** Operator settings for the parts filled in by hand; the language of the report determines the rest. */
export interface ReportForm {
  /** If empty, nothing is filled in by hand: no registration number, no tick boxes. */
  readonly blocks: readonly FormBlock[];
  /** Labels that replace those of the language. */
  readonly labels: Readonly<Partial<Record<FormLabel, string>>>;
  /** Names of the stamp boxes from left to right; if absent, those of the language, or none without blocks. */
  readonly stamps?: readonly string[] | undefined;
  /** Prints dates in Japanese eras. */
  readonly era: boolean;
}

/** Form without operator settings. */
export const DEFAULT_FORM: ReportForm = { blocks: FORM_BLOCKS, labels: {}, era: false };
