import type { Resolvers } from '../../../../generated/graphql.js';
import { connectionOf, cursorOf, nodeOf, pageSize } from '../pagination.js';

export function mobileResolvers() {
  return {
    Query: {
      async mobiles(_root, { search, tagIds, first, after }, { loaders }) {
        const cursor = cursorOf(after);
        const query = {
          limit: pageSize(first),
          ...(search && { search }),
          ...(tagIds && tagIds.length > 0 && { tagIds: tagIds.map(Number) }),
          ...(cursor !== undefined && { cursor }),
        };
        return connectionOf(await loaders.user.listMobiles(query), cursor);
      },
      mobile: (_root, { id }, { loaders }) => loaders.user.getMobile(Number(id)),
      tags: async (_root, _args, { loaders }) => [...(await loaders.user.listTags())],
    },
    MobileEdge: { node: nodeOf },
    Mobile: {
      tags: ({ tagIds }, _args, { loaders }, { path }) =>
        loaders.orNull(
          'tags',
          path,
          loaders.tag.loadMany([...tagIds]).then((tags) => tags.map(throwFailure).filter((tag) => tag !== undefined)),
        ),
      position: ({ position }) =>
        position && {
          latitude: position.lat,
          longitude: position.lng,
          speedKmh: position.speedKmh,
          heading: position.heading,
          recordedAt: position.recordedAt,
        },
      voice: ({ id }, _args, { loaders }, { path }) => loaders.orNull('voice', path, loaders.presence.load(id)),
    },
    Position: {
      address: ({ latitude: lat, longitude: lng }, _args, { loaders }, { path }) =>
        loaders.orNull('address', path, loaders.address.load({ lat, lng })),
    },
  } satisfies Resolvers;
}

/** Throws failures, which `loadMany` returns as values. */
function throwFailure<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}
