import type { components } from '../../../generated/backend-api.js';
import { BackendFailure } from '../operation-types.js';
import { type BackendHandlers, type SandboxCaller, pageOf } from './callers.js';
import { seedFile } from '../seed/fleet.js';

type Mobile = components['schemas']['Mobile'];
type MobilePatch = components['schemas']['MobilePatch'];
type MobileHandlers = Pick<
  BackendHandlers,
  'listMobiles' | 'lookupMobiles' | 'getMobile' | 'updateMobile' | 'getDrivingRecord' | 'listTags'
>;

const MAX_SPAN_DAYS = 31;
const DAY = 86_400_000;

/** Makes the handlers of mobiles, tags and driving records, which have no trip after `now`. */
export const mobileHandlers = (now: () => Date): MobileHandlers => ({
  listMobiles: ({ query: { search = '', tagIds = [], ...page }, caller }) => {
    const matching = visibleMobiles(caller).filter(
      (mobile) =>
        [mobile.num, mobile.name].some((text) => folded(text).includes(folded(search))) &&
        tagIds.every((tagId) => mobile.tagIds.includes(tagId)),
    );
    return { status: 200, body: pageOf(matching, page) };
  },

  lookupMobiles: ({ body, caller }) => {
    const visible = new Set(visibleMobiles(caller).map(({ id }) => String(id)));
    return { status: 200, body: { ids: body.ids.filter((id) => visible.has(id)) } };
  },

  getMobile: ({ path, caller }) => ({ status: 200, body: visibleMobile(path.id, caller) }),

  updateMobile: ({ path, body, caller, record }) => {
    const patch = patchOf(body);
    const mobile = visibleMobile(path.id, caller);
    assertUsable(patch, mobile, caller);
    const updated = { ...mobile, ...patch };
    caller.organisation.mobiles.set(mobile.id, updated);
    record({ kind: 'mobileUpdated', org: caller.organisation.code, id: mobile.id, patch });
    return { status: 200, body: updated };
  },

  getDrivingRecord: ({ path, query, caller }) => {
    const { id } = visibleMobile(path.id, caller);
    const from = Date.parse(query.from);
    const to = Date.parse(query.to);
    if (to <= from) throw new BackendFailure(422, 'to must be later than from.');
    if (to - from > MAX_SPAN_DAYS * DAY) {
      throw new BackendFailure(422, `At most ${MAX_SPAN_DAYS} days at a time.`);
    }
    return { status: 200, body: { mobileId: path.id, trips: tripsBetween(id, from, to, now().getTime()) } };
  },

  listTags: ({ caller }) => ({ status: 200, body: { items: caller.organisation.tags } }),
});

function visibleMobiles({ organisation, sees }: SandboxCaller): Mobile[] {
  return [...organisation.mobiles.values()].filter(({ id }) => sees(id));
}

function visibleMobile(id: string, caller: SandboxCaller): Mobile {
  const mobile = visibleMobiles(caller).find((each) => String(each.id) === id);
  if (mobile === undefined) throw new BackendFailure(404, 'mobile not found');
  return mobile;
}

/** Returns the fields that can be changed; others in the body are ignored. */
function patchOf({ num, name, tagIds }: MobilePatch): MobilePatch {
  return {
    ...(num !== undefined && { num }),
    ...(name !== undefined && { name }),
    ...(tagIds !== undefined && { tagIds }),
  };
}

function assertUsable(patch: MobilePatch, { id }: Mobile, { organisation }: SandboxCaller): void {
  const { num, name, tagIds = [] } = patch;
  if (num?.trim() === '') throw new BackendFailure(422, 'num must not be empty');
  if (name?.trim() === '') throw new BackendFailure(422, 'name must not be empty');
  const tags = new Set(organisation.tags.map((tag) => tag.id));
  const unknown = tagIds.filter((tagId) => !tags.has(tagId));
  if (unknown.length > 0) throw new BackendFailure(422, `unknown tag ${unknown.join(', ')}`);
  const taken = [...organisation.mobiles.values()].some((other) => other.num === num && other.id !== id);
  if (taken) throw new BackendFailure(409, 'num is used by another mobile');
}

/** Folds full-width and half-width forms, capitals and small letters for the search. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

type Trip = components['schemas']['Trip'];

/** Trip as it is kept, with the second of its day at which it begins. */
interface RecordedTrip extends Pick<Trip, 'distanceMeters' | 'stopCount' | 'idleSeconds'> {
  readonly second: number;
  /** Three whole numbers for each fix: its way from the last one, in millionths of a degree, and tenths of km/h. */
  readonly track: string;
}

/** Days of vehicles of a depot in Tokyo: tours to customers and back, with a lunch break on workdays. */
const DAYS = seedFile('recorded-days') as Record<'hasty' | 'calm' | 'weekend', readonly RecordedTrip[]>; // by its file

/** Offset of Japan from UTC; there is no daylight saving time. */
const JAPAN_OFFSET = 9 * 3_600_000;
/** Seconds between two fixes of a track. */
const TRACK_INTERVAL_SECONDS = 10;

/**
 * Returns the trips of a mobile that start in [from, to) and have ended, oldest first. They are those of a recorded
 * day, moved to the asked date and by some minutes, which depend only on the mobile and the day in Japan: 7 trips on a
 * working day, on every second one with two stretches above 80 km/h, and 3 at a weekend. Mobiles with an id that is a
 * multiple of 25 never drive; the others, except the first ten, have days without a trip.
 *
 * @param from inclusive, milliseconds since 1970
 * @param to exclusive, milliseconds since 1970
 * @param now milliseconds since 1970
 */
function tripsBetween(mobileId: number, from: number, to: number, now: number): Trip[] {
  const trips: Trip[] = [];
  for (let day = dayOf(from); day <= dayOf(Math.min(to, now) - 1); day += 1) trips.push(...tripsOfDay(mobileId, day));
  return trips.filter(({ start, end }) => {
    const time = Date.parse(start.time);
    return from <= time && time < to && Date.parse(end.time) <= now;
  });
}

/** Returns the number of the day in Japan since 1970. */
function dayOf(time: number): number {
  return Math.floor((time + JAPAN_OFFSET) / DAY);
}

function tripsOfDay(mobileId: number, day: number): Trip[] {
  const drivesToday = mobileId <= 10 || (mobileId * 7 + day) % 8 !== 0;
  if (mobileId % 25 === 0 || !drivesToday) return [];
  // Day 0 of 1970 was a Thursday.
  const isWeekend = [0, 6].includes((day + 4) % 7);
  const recorded = DAYS[isWeekend ? 'weekend' : (mobileId + day) % 2 === 0 ? 'calm' : 'hasty'];
  const laterSeconds = ((mobileId * 11 + day * 7) % 24) * 60;
  return recorded.map((trip) => tripAt(day * DAY - JAPAN_OFFSET + (trip.second + laterSeconds) * 1000, trip));
}

function tripAt(departure: number, { distanceMeters, stopCount, idleSeconds, track: kept }: RecordedTrip): Trip {
  const numbers = kept.split(' ').map(Number);
  let [north, east] = [0, 0];
  const fixAt = (index: number): Trip['track'][number] => {
    const [toNorth = 0, toEast = 0, speed = 0] = numbers.slice(3 * index, 3 * index + 3);
    [north, east] = [north + toNorth, east + toEast];
    const time = new Date(departure + index * TRACK_INTERVAL_SECONDS * 1000).toISOString();
    return { time, lat: north / 1e6, lng: east / 1e6, speedKmh: speed / 10 };
  };
  const first = fixAt(0);
  const track = [first, ...Array.from({ length: numbers.length / 3 - 1 }, (_, index) => fixAt(index + 1))];
  const { speedKmh: _start, ...start } = first;
  const { speedKmh: _end, ...end } = track.at(-1) ?? first;
  const maxSpeedKmh = Math.max(...track.map(({ speedKmh }) => speedKmh));
  return { start, end, distanceMeters, stopCount, maxSpeedKmh, idleSeconds, track };
}
