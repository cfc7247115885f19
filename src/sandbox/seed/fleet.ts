import type { components } from '../../../generated/backend-api.js';
import { mobileName, TAG_NAMES } from './names.js';
import { TOKYO_PLACES } from './places.js';
import { randomFrom, type Random } from './random.js';

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
