/** Package and file of the fonts by script; together they cover the names of the printed fleets. */
const FILES = {
  japanese: ['noto-sans-jp', 'NotoSansJP'],
  chinese: ['noto-sans-sc', 'NotoSansSC'],
  korean: ['noto-sans-kr', 'NotoSansKR'],
  thai: ['noto-sans-thai', 'NotoSansThai'],
  latin: ['noto-sans', 'NotoSans'],
  arabic: ['noto-sans-arabic', 'NotoSansArabic'],
  hebrew: ['noto-sans-hebrew', 'NotoSansHebrew'],
  armenian: ['noto-sans-armenian', 'NotoSansArmenian'],
  georgian: ['noto-sans-georgian', 'NotoSansGeorgian'],
  devanagari: ['noto-sans-devanagari', 'NotoSansDevanagari'],
  bengali: ['noto-sans-bengali', 'NotoSansBengali'],
  tamil: ['noto-sans-tamil', 'NotoSansTamil'],
} as const;
const WEIGHTS = { regular: '400Regular', bold: '700Bold' } as const;

export type FontFamily = keyof typeof FILES;
export type FontWeight = keyof typeof WEIGHTS;

/** Family for Han characters, whose form differs by country: the operators of the fleets are Japanese. */
export const PRIMARY_FAMILY: FontFamily = 'japanese';

/** Families tried for every character, in this order, Japanese first. */
export const SHARED_FAMILIES: readonly FontFamily[] = [PRIMARY_FAMILY, 'chinese', 'korean', 'thai', 'latin'];

/** Blocks whose letters only one family prints, in the order of their code points. */
const OWN_BLOCKS: readonly (readonly [first: number, last: number, family: FontFamily])[] = [
  [0x0530, 0x058f, 'armenian'],
  [0x0590, 0x05ff, 'hebrew'],
  [0x0600, 0x06ff, 'arabic'],
  [0x0750, 0x077f, 'arabic'],
  [0x0870, 0x08ff, 'arabic'],
  [0x0900, 0x097f, 'devanagari'],
  [0x0980, 0x09ff, 'bengali'],
  [0x0b80, 0x0bff, 'tamil'],
  [0x10a0, 0x10ff, 'georgian'],
  [0x1c90, 0x1cbf, 'georgian'],
  [0x1cd0, 0x1cff, 'devanagari'],
  [0x2d00, 0x2d2f, 'georgian'],
  [0xa8e0, 0xa8ff, 'devanagari'],
  [0xfb13, 0xfb17, 'armenian'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfefe, 'arabic'],
];
const OWN_FAMILIES = new Set(OWN_BLOCKS.map(([, , family]) => family));
const FIRST_OWN = 0x0530;

/** Returns the family of the first character of a text that only one family prints; undefined without one. */
export function ownFamily(text: string): FontFamily | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < FIRST_OWN) continue;
    const block = OWN_BLOCKS.find(([first, last]) => code >= first && code <= last);
    if (block !== undefined) return block[2];
  }
  return undefined;
}

/** True if a family prints the letters of one script and needs its rules: joined forms, order, conjuncts. */
export function hasOwnLetters(family: FontFamily): boolean {
  return OWN_FAMILIES.has(family);
}

export function fontPath(family: FontFamily, weight: FontWeight): string {
  const [directory, file] = FILES[family];
  return `@expo-google-fonts/${directory}/${WEIGHTS[weight]}/${file}_${WEIGHTS[weight]}.ttf`;
}
