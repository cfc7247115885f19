import type { components } from '../../../generated/backend-api.js';
import { BackendFailure } from '../operation-types.js';
import { tripsBetween } from '../seed/trips.js';
import { type BackendHandlers, type SandboxCaller, pageOf } from './callers.js';

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
