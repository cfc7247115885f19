import type { Random } from './random.js';

type Names = readonly [string, ...string[]];

/** Splits names between spaces. */
function names(text: string): Names {
  const [first = '', ...others] = text.split(' ');
  return [first, ...others];
}

const JAPANESE_FAMILY_NAMES = names('佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤 吉田 山田 佐々木 髙木 齋藤');
const JAPANESE_GIVEN_NAMES = names('健一 直樹 翔太 大輔 美咲 陽子 さくら 拓也 恵子 浩二 千尋 マリコ 真由美 蓮');
const ENGLISH_FAMILY_NAMES: Names = ['Miller', 'Baker', 'Carter', 'O’Brien', 'Fisher', 'Taylor', 'Walker'];
const ENGLISH_GIVEN_NAMES: Names = ['James', 'Emma', 'Oliver', 'Grace', 'Zoë', 'Noah', 'Ruth'];

const JAPANESE_VEHICLES: Names = ['配送車', '冷凍トラック', '営業車', '軽バン', '大型トラック', '送迎バス'];
const ENGLISH_VEHICLES: Names = ['Truck', 'Delivery van', 'Shuttle', 'Service car', 'Tanker'];

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

/** Returns a person's name, Japanese two times out of three. */
export function personName(random: Random): string {
  return random.chance(0.67)
    ? `${random.pick(JAPANESE_FAMILY_NAMES)} ${random.pick(JAPANESE_GIVEN_NAMES)}`
    : `${random.pick(ENGLISH_GIVEN_NAMES)} ${random.pick(ENGLISH_FAMILY_NAMES)}`;
}

/** Returns the name of a mobile: its driver, or the vehicle and its id. */
export function mobileName(random: Random, id: number): string {
  if (random.chance(0.4)) return personName(random);
  return random.chance(0.6) ? `${random.pick(JAPANESE_VEHICLES)} ${id}号` : `${random.pick(ENGLISH_VEHICLES)} ${id}`;
}
