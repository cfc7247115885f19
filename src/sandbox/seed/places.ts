/** Place with its coordinates (degrees, WGS 84) and the Japanese address down to the town. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
  readonly town: string;
}

/** Yards where vehicles begin and end their days: truck terminals in the north of Tokyo. */
export const DEPOTS = {
  acme: { lat: 35.7962, lng: 139.7612, town: '東京都足立区入谷' },
  globex: { lat: 35.7905, lng: 139.6725, town: '東京都板橋区高島平' },
} as const satisfies Readonly<Record<string, Place>>;

/** Destinations of the vehicles: places on land around the centre of Tokyo. */
export const TOKYO_PLACES: readonly [Place, ...Place[]] = [
  { lat: 35.6586, lng: 139.7454, town: '東京都港区芝公園' },
  { lat: 35.6629, lng: 139.7315, town: '東京都港区六本木' },
  { lat: 35.6415, lng: 139.7492, town: '東京都港区芝浦' },
  { lat: 35.6812, lng: 139.7671, town: '東京都千代田区丸の内' },
  { lat: 35.6896, lng: 139.6917, town: '東京都新宿区西新宿' },
  { lat: 35.7127, lng: 139.7038, town: '東京都新宿区高田馬場' },
  { lat: 35.658, lng: 139.7016, town: '東京都渋谷区道玄坂' },
  { lat: 35.7295, lng: 139.7109, town: '東京都豊島区南池袋' },
  { lat: 35.7335, lng: 139.7393, town: '東京都豊島区巣鴨' },
  { lat: 35.7141, lng: 139.7774, town: '東京都台東区上野' },
  { lat: 35.7101, lng: 139.8107, town: '東京都墨田区押上' },
  { lat: 35.6285, lng: 139.7387, town: '東京都品川区北品川' },
  { lat: 35.6197, lng: 139.7285, town: '東京都品川区大崎' },
  { lat: 35.5614, lng: 139.7161, town: '東京都大田区蒲田' },
  { lat: 35.5885, lng: 139.7279, town: '東京都大田区大森北' },
  { lat: 35.5969, lng: 139.6673, town: '東京都大田区田園調布' },
  { lat: 35.6467, lng: 139.6533, town: '東京都世田谷区世田谷' },
  { lat: 35.6263, lng: 139.6339, town: '東京都世田谷区用賀' },
  { lat: 35.6401, lng: 139.5992, town: '東京都世田谷区成城' },
  { lat: 35.6413, lng: 139.6982, town: '東京都目黒区目黒' },
  { lat: 35.6075, lng: 139.6688, town: '東京都目黒区自由が丘' },
  { lat: 35.7074, lng: 139.6638, town: '東京都中野区中野' },
  { lat: 35.6996, lng: 139.6364, town: '東京都杉並区成田東' },
  { lat: 35.7045, lng: 139.6201, town: '東京都杉並区上荻' },
  { lat: 35.7356, lng: 139.6517, town: '東京都練馬区豊玉北' },
  { lat: 35.7585, lng: 139.6288, town: '東京都練馬区光が丘' },
  { lat: 35.7436, lng: 139.6066, town: '東京都練馬区石神井町' },
  { lat: 35.7512, lng: 139.7093, town: '東京都板橋区板橋' },
  { lat: 35.7774, lng: 139.6328, town: '東京都板橋区成増' },
  { lat: 35.7528, lng: 139.7337, town: '東京都北区王子本町' },
  { lat: 35.778, lng: 139.7209, town: '東京都北区赤羽' },
  { lat: 35.7361, lng: 139.7834, town: '東京都荒川区荒川' },
  { lat: 35.7751, lng: 139.8045, town: '東京都足立区中央本町' },
  { lat: 35.7495, lng: 139.8049, town: '東京都足立区千住旭町' },
  { lat: 35.7434, lng: 139.8472, town: '東京都葛飾区立石' },
  { lat: 35.7669, lng: 139.8477, town: '東京都葛飾区亀有' },
  { lat: 35.7068, lng: 139.8683, town: '東京都江戸川区中央' },
  { lat: 35.6646, lng: 139.859, town: '東京都江戸川区西葛西' },
  { lat: 35.7331, lng: 139.8818, town: '東京都江戸川区南小岩' },
  { lat: 35.673, lng: 139.8173, town: '東京都江東区東陽' },
  { lat: 35.6975, lng: 139.8265, town: '東京都江東区亀戸' },
  { lat: 35.6552, lng: 139.7962, town: '東京都江東区豊洲' },
  { lat: 35.6707, lng: 139.772, town: '東京都中央区築地' },
  { lat: 35.7081, lng: 139.7522, town: '東京都文京区春日' },
  { lat: 35.7028, lng: 139.5596, town: '東京都三鷹市下連雀' },
  { lat: 35.5756, lng: 139.6596, town: '神奈川県川崎市中原区小杉町' },
  { lat: 35.5308, lng: 139.703, town: '神奈川県川崎市川崎区宮本町' },
  { lat: 35.8015, lng: 139.7109, town: '埼玉県川口市栄町' },
  { lat: 35.8288, lng: 139.8045, town: '埼玉県草加市高砂' },
];
