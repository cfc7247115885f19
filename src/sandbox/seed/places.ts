import { readFileSync } from 'node:fs';
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
