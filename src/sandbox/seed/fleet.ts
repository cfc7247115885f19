import type { components } from '../../../generated/backend-api.js';
import { mobileName, TAG_NAMES } from './names.js';
import { DEPOTS, TOKYO_PLACES, type Place } from './places.js';
import { randomFrom, type Random } from './random.js';

type Mobile = components['schemas']['Mobile'];
type Tag = components['schemas']['Tag'];

/** Number of mobiles that non-administrators see: the first ones of their organisation. */
const SHARED_MOBILES = 50;

/** Organisation without its user accounts. Updates change its mobiles. */
export interface Organisation {
  readonly code: string;
  /** Yard where its vehicles begin and end their days. */
  readonly depot: Place;
  readonly tags: readonly Tag[];
  readonly mobiles: Map<number, Mobile>;
  /** Ids of the mobiles that non-administrators see. */
  readonly sharedMobileIds: ReadonlySet<number>;
}

/** Returns the organisations by code: `acme` with mobiles 1 to 300, `globex` with 1001 to 1020. */
export function seedOrganisations(now: Date): ReadonlyMap<string, Organisation> {
  const acme = organisation('acme', {
    depot: DEPOTS.acme,
    firstId: 1,
    count: 300,
    firstTagId: 1,
    tags: TAG_NAMES,
    now,
  });
  const globex = organisation('globex', {
    depot: DEPOTS.globex,
    firstId: 1001,
    count: 20,
    firstTagId: 101,
    tags: ['Globex', '大阪支店'],
    now,
  });
  return new Map([acme, globex].map((each) => [each.code, each]));
}

interface FleetPlan {
  readonly depot: Place;
  readonly firstId: number;
  readonly count: number;
  readonly firstTagId: number;
  readonly tags: readonly string[];
  readonly now: Date;
}

function organisation(code: string, plan: FleetPlan): Organisation {
  const tags = plan.tags.map((name, index) => ({ id: plan.firstTagId + index, name }));
  const ids = Array.from({ length: plan.count }, (_, index) => plan.firstId + index);
  const mobiles = ids.map((id) => mobile(id, tags, plan.now));
  return {
    code,
    depot: plan.depot,
    tags,
    mobiles: new Map(mobiles.map((each) => [each.id, each])),
    sharedMobileIds: new Set(mobiles.slice(0, SHARED_MOBILES).map(({ id }) => id)),
  };
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
