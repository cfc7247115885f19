import { readFileSync } from 'node:fs';
import type { components } from '../../../generated/backend-api.js';
import { randomFrom, type Random } from './random.js';
import { packageFile } from '../../base/package-file.js';

/** Place with its coordinates (degrees, WGS 84) and the Japanese address down to the town. */
export interface NamedPlace {
  readonly lat: number;
  readonly lng: number;
  readonly town: string;
}

/** Yard where vehicles begin and end their days: a truck terminal in the north of Tokyo. */
export const DEPOT: NamedPlace = { lat: 35.7962, lng: 139.7612, town: '東京都足立区入谷' };

/** Places on land around the centre of Tokyo. */
export const TOKYO_PLACES = (seedFile('places') as readonly string[]).map((line) => {
  const [lat, lng, town = ''] = line.split(' ');
  return { lat: Number(lat), lng: Number(lng), town };
}) as [NamedPlace, ...NamedPlace[]]; // the file is not empty

/** Reads data of this folder, whose type its only reader knows. */
export function seedFile(name: 'places' | 'recorded-days'): unknown {
  return JSON.parse(readFileSync(packageFile(`src/sandbox/seed/${name}.json`), 'utf8'));
}

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

const TAG_NAMES: readonly string[] = [
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
function mobileName(random: Random, id: number): string {
  if (random.chance(0.4)) return personName(random);
  return random.chance(0.6) ? `${random.pick(JAPANESE_VEHICLES)} ${id}号` : `${random.pick(ENGLISH_VEHICLES)} ${id}`;
}

type Mobile = components['schemas']['Mobile'];
type Tag = components['schemas']['Tag'];

/** Number of mobiles that non-administrators see: the first ones of their organisation. */
const SHARED_MOBILES = 50;

/** Organisation without its user accounts. Updates change its mobiles. */
export interface Organisation {
  readonly code: string;
  readonly tags: readonly Tag[];
  readonly mobiles: Map<number, Mobile>;
  /** Ids of the mobiles that non-administrators see. */
  readonly sharedMobileIds: ReadonlySet<number>;
}

const FLEETS = [
  { code: 'acme', firstId: 1, count: 300, firstTagId: 1, tagNames: TAG_NAMES },
  { code: 'globex', firstId: 1001, count: 20, firstTagId: 101, tagNames: ['Globex', '大阪支店'] },
];

/** Returns the organisations by code: `acme` with mobiles 1 to 300, `globex` with 1001 to 1020. */
export function seedOrganisations(now: Date): ReadonlyMap<string, Organisation> {
  const organisations = FLEETS.map(({ code, firstId, count, firstTagId, tagNames }): Organisation => {
    const tags = tagNames.map((name, index) => ({ id: firstTagId + index, name }));
    const mobiles = Array.from({ length: count }, (_, index) => mobile(firstId + index, tags, now));
    const sharedMobileIds = new Set(mobiles.slice(0, SHARED_MOBILES).map(({ id }) => id));
    return { code, tags, mobiles: new Map(mobiles.map((each) => [each.id, each])), sharedMobileIds };
  });
  return new Map(organisations.map((each) => [each.code, each]));
}

function mobile(id: number, tags: readonly Tag[], now: Date): Mobile {
  const random = randomFrom(`mobile/${id}`);
  return {
    id,
    num: `M-${String(id).padStart(4, '0')}`,
    name: mobileName(random, id),
    tagIds: tags.filter(() => random.chance(0.22)).map((tag) => tag.id),
    position: id % 15 === 0 ? null : position(random, now),
  };
}

function position(random: Random, now: Date): Mobile['position'] {
  const place = random.pick(TOKYO_PLACES);
  const moving = random.chance(0.6);
  return {
    lat: Number((place.lat + random.between(-0.008, 0.008)).toFixed(6)),
    lng: Number((place.lng + random.between(-0.008, 0.008)).toFixed(6)),
    speedKmh: moving ? random.integer(5, 58) : 0,
    heading: random.integer(0, 359),
    recordedAt: new Date(now.getTime() - random.integer(5, 3600) * 1000).toISOString(),
  };
}
