import type { Resolvers } from '../../../generated/graphql.js';
import { connectionOf, cursorOf, nodeOf, pageSize } from '../pagination.js';

/** User accounts of the organisation. */
export function accountResolvers() {
  return {
    Query: {
      async userAccounts(_root, { first, after }, { loaders }) {
        const cursor = cursorOf(after);
        return connectionOf(
          await loaders.user.listUserAccounts({ limit: pageSize(first), ...(cursor !== undefined && { cursor }) }),
          cursor,
        );
      },
    },
    UserAccountEdge: { node: nodeOf },
    UserAccount: {
      indivs: ({ indivs }) => copyOf(indivs),
      vptGrps: ({ vptGrps }) => copyOf(vptGrps),
      landmarkCategories: ({ landmarkCategories }) => copyOf(landmarkCategories),
    },
  } satisfies Resolvers;
}

/** Copies a list, because the schema's lists are mutable types and the backend's are not. */
function copyOf(entries: readonly unknown[] | undefined): unknown[] | null {
  return entries === undefined ? null : [...entries];
}
