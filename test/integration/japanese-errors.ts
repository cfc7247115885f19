/** Texts of errors for a page in Japanese, from reasons and values alone. */
import type { Reason, Reasoned, ValuesOfReason } from '../../generated/front-end.js';
import { reasonsIn } from '../support/published-errors.js';

const LATER = 'しばらくしてからもう一度お試しください。';
const after = (seconds: number): string => `${seconds}秒後にもう一度お試しください。`;
const overLimit =
  (what: string) =>
  ({ found, limit }: { readonly found: number; readonly limit: number }): string =>
    `${what}が多すぎます：${found}（上限${limit}）`;
const unknown = '実行されたかどうか不明です：';
const notDone = '実行されませんでした：';
const quoted = ({ backendText }: { readonly backendText: string }): string => `「${backendText}」`;
const forDevelopers = ({ developerText }: { readonly developerText: string }): string => `開発者向け：${developerText}`;

/** A reason without a text, and a value that its text has not, are errors of the compiler. */
const TEXTS: { readonly [Name in Reason]: (values: ValuesOfReason[Name]) => string } = {
  AuthorizationMissing: () => 'ログインしてください。',
  TokenInvalid: () => 'もう一度ログインしてください。',
  AdministratorsOnly: () => '管理者だけが行えます。',
  AccountForbidden: () => 'このアカウントには許可されていません。',
  ForbiddenByBackend: quoted,
  TestOtpOff: () => 'テスト用のワンタイムパスワードは使えません。',
  UnknownJob: () => 'そのジョブはありません。',
  UnknownMobile: ({ ids, count }) => `次の移動局はありません（${count}件）：${ids.join('、')}`,
  UnknownAccount: () => 'そのアカウントはありません。',
  UnknownToBackend: quoted,
  WrongPassword: () => 'ログインＩＤまたはパスワードが違います。',
  WrongOtp: () => 'ワンタイムパスワードが違うか、期限が切れています。',
  WrongRefreshToken: () => 'もう一度ログインしてください。',
  TooManyLogins: ({ seconds }) => `ログインの試行が多すぎます。${after(seconds)}`,
  TooManyLoginsFromNetwork: ({ seconds }) => `このネットワークからのログインの試行が多すぎます。${after(seconds)}`,
  TooManyOtps: ({ seconds }) => `ワンタイムパスワードの請求が多すぎます。${after(seconds)}`,
  TooManyOtpsFromNetwork: ({ seconds }) =>
    `このネットワークからのワンタイムパスワードの請求が多すぎます。${after(seconds)}`,
  TooManyOpenJobs: () => '終わっていないジョブが多すぎます。',
  TooManyJobLists: ({ seconds }) => `一覧の要求が多すぎます。${after(seconds)}`,
  TooManyAttempts: () => `試行が多すぎます。${LATER}`,
  TooManyForBackend: quoted,
  BackendUnavailable: () => `車両とアカウントを読み込めません。${LATER}`,
  OddRecords: ({ count }) => `このページには読めない項目が${count}件あります。`,
  AddressesUnavailable: () => `住所を調べられません。${LATER}`,
  VoiceUnavailable: () => `通話の状態を調べられません。${LATER}`,
  StoreUnavailable: () => `ジョブとログインを扱えません。${LATER}`,
  ReportsUnavailable: () => `日報を保存または読み込めません。${LATER}`,
  ShuttingDown: () => `再起動中です。${LATER}`,
  Busy: () => `混み合っています。${after(1)}`,
  OperationTimeout: ({ seconds }) => `${seconds}秒以内に終わりませんでした。${LATER}`,
  OutcomeUnknown: ({ seconds }) => `${seconds}秒以内に終わらず、実行されたかもしれません。`,
  NotStarted: () => `時間切れのため始められませんでした。${LATER}`,
  InternalError: () => `こちらの不具合です。${LATER}`,
  InvalidInput: ({ reasons }) => `入力に${reasons.length}件の誤りがあります。`,
  EmptyList: () => '一覧が空です。',
  IdempotencyKeyReused: () => 'このキーは別の入力で使われました。',
  RefusedByBackend: quoted,
  RequestRefused: () => '要求が拒否されました。',
  TooManyItems: ({ variable, ...values }) => `${overLimit('項目')(values)}：${variable}`,
  TooManyEntries: ({ variables, ...values }) => `${overLimit('一覧の項目')(values)}：${variables.join('、')}`,
  TooManyJobStarts: overLimit('ジョブの開始'),
  TooManyRootFields: overLimit('ルートフィールド'),
  TooManyAliases: overLimit('別名'),
  TooManyDirectives: overLimit('ディレクティブ'),
  TooManyLevels: overLimit('階層'),
  TooManyRepeats: overLimit('同名のフィールド'),
  TooManyTokens: ({ limit }) => `トークンが多すぎます（上限${limit}）`,
  BodyTooLarge: ({ limit, variable }) => `本文が大きすぎます（上限${limit}バイト）：${variable}`,
  InvalidSyntax: forDevelopers,
  InvalidDocument: forDevelopers,
  IntrospectionOff: () => 'イントロスペクションは使えません。',
  UnknownOperation: ({ name }) => `操作「${name}」はありません。`,
  OperationNotNamed: () => '操作の名前を指定してください。',
  NoOperation: () => '操作がありません。',
  InvalidRequest: forDevelopers,
  InvalidQueryString: () => 'クエリ文字列が正しくありません。',
  ParametersRepeated: ({ names }) => `一度だけ指定してください：${names.join('、')}`,
  ParametersNotJson: ({ names }) => `形式が正しくありません：${names.join('、')}`,
  BodyCutShort: () => '本文が途中で切れました。',
  BodyNotUtf8: () => '本文の文字コードが正しくありません。',
  BodyNotJson: () => '本文の形式が正しくありません。',
  BodyNotObject: () => '本文はオブジェクトでなければなりません。',
  NotJsonContent: () => '本文の種類が正しくありません。',
  NotAcceptable: () => '受け取れる種類の応答がありません。',
  PersistedQueryNotFound: () => '登録された操作が見つかりません。',
  PersistedQueryNotSupported: () => '操作の登録は使えません。',
  PersistedOnly: () => '登録された操作だけが使えます。',
  WrongHash: () => 'ハッシュが文書と一致しません。',
  TwoDocuments: () => '文書は一つだけ指定してください。',
  InvalidDocumentId: () => '文書のハッシュが正しくありません。',
  InvalidPersistedQuery: () => '登録された操作の指定が正しくありません。',
  NotDelivered: () => 'ジョブを届けられませんでした。もう一度注文してください。',
  NotBegun: () => `${notDone}ジョブは取り消されました`,
  NotKnown: () => `${unknown}ジョブは取り消されました`,
  NotBegunGivenUp: () => `${notDone}ジョブは打ち切られました`,
  NotKnownGivenUp: () => `${unknown}ジョブは打ち切られました`,
  OutOfTime: () => `${notDone}時間切れです`,
  CutOff: () => `${unknown}時間切れです`,
  NotFetched: () => '取得できませんでした：時間切れです',
  TooOldToRepeat: () => `${unknown}時間が経ちすぎました`,
  NotConfirmed: () => `${unknown}応答がありませんでした`,
  PasswordRefused: () => 'パスワードが拒否されました',
  FieldRequired: ({ field }) => `アカウントの作成には${field}が必要です`,
  UnusableId: ({ name }) => `${name}は識別子として使えません`,
  UnreadableAnswer: () => '応答を読めませんでした',
  ItemFailed: () => '内部の不具合です',
  Waiting: () => 'ジョブは待っています。自動で再試行されます。',
  AddressesMissing: ({ count }) => `${count}人の運転者の住所を調べられませんでした。`,
  Required: () => '必須です',
  Null: () => '空にはできません',
  UnknownMember: () => '不明な項目です',
  WrongType: ({ type }) => `型は${type}でなければなりません`,
  NotOneOf: ({ type }) => `${type}の値でなければなりません`,
  NotInteger: ({ min, max }) => `${min}から${max}までの整数でなければなりません`,
  OutOfRange: ({ min, max }) => `${min}から${max}まででなければなりません`,
  NumberTooLarge: () => '数が大きすぎます',
  NumberNotExact: ({ min, max }) => `正確に表せる数は${min}から${max}までです`,
  TextLength: ({ min, max }) => `${min}文字から${max}文字まででなければなりません`,
  TextTooLong: ({ max }) => `${max}文字以内でなければなりません`,
  TextIllFormed: () => '文字が壊れています',
  NameIllFormed: () => '名前の文字が壊れています',
  NotPrintable: ({ min, max }) => `印字できる半角文字${min}から${max}文字でなければなりません`,
  NotTimestamp: () => '時刻の形式が正しくありません',
  NoSuchDate: () => 'その日付はありません',
  DateOutOfRange: () => '日付が範囲外です',
  NotCursor: () => 'ページの位置が正しくありません',
  NotKnownMobile: () => 'その移動局はありません',
  ListEmpty: () => '一つ以上必要です',
  ListTooLong: ({ max }) => `${max}件以内でなければなりません`,
  NestedTooDeep: ({ max }) => `入れ子は${max}段までです`,
  TooManyUnknownMembers: ({ max }) => `不明な項目は${max}個までです`,
  NotValid: () => '正しくありません',
};

/** Returns the text of a reason. */
export function inJapanese<Name extends Reason>({ reason, values }: Reasoned<Name>): string {
  const text: (values: ValuesOfReason[Name]) => string = TEXTS[reason];
  return text(values);
}

/** Returns what a page in Japanese shows of everything in a reply that has a reason. */
export function shownInJapanese(reply: unknown): readonly string[] {
  return reasonsIn(reply).map(inJapanese);
}
