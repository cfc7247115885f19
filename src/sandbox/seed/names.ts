type Names = readonly [string, ...string[]];

/** Family and given names of the people in the sandbox. */
export const JAPANESE_FAMILY_NAMES: Names = [
  '佐藤',
  '鈴木',
  '高橋',
  '田中',
  '渡辺',
  '伊藤',
  '山本',
  '中村',
  '小林',
  '加藤',
  '吉田',
  '山田',
  '佐々木',
  '髙木',
  '齋藤',
];
export const JAPANESE_GIVEN_NAMES: Names = [
  '健一',
  '直樹',
  '翔太',
  '大輔',
  '美咲',
  '陽子',
  'さくら',
  '拓也',
  '恵子',
  '浩二',
  '千尋',
  'マリコ',
  '真由美',
  '蓮',
];
export const ENGLISH_FAMILY_NAMES: Names = ['Miller', 'Baker', 'Carter', 'O’Brien', 'Fisher', 'Taylor', 'Walker'];
export const ENGLISH_GIVEN_NAMES: Names = ['James', 'Emma', 'Oliver', 'Grace', 'Zoë', 'Noah', 'Ruth'];

/** What vehicles are called. */
export const JAPANESE_VEHICLES: Names = ['配送車', '冷凍トラック', '営業車', '軽バン', '大型トラック', '送迎バス'];
export const ENGLISH_VEHICLES: Names = ['Truck', 'Delivery van', 'Shuttle', 'Service car', 'Tanker'];

/** Tags of a fleet. */
export const TAG_NAMES: readonly string[] = [
  '東京営業所',
  '横浜営業所',
  '冷凍車',
  '長距離',
  '夜勤',
  'Night shift',
  'Refrigerated',
  'Trainee',
  'Rental',
  '4t',
];
