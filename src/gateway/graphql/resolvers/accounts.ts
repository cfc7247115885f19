import type { Resolvers } from '../../../../generated/graphql.js';
import { connectionOf, cursorOf, nodeOf, pageSize } from '../pagination.js';

export function accountResolvers() {
  return {
    Query: {
      async userAccounts(_root, { first, after }, { loaders }) {
        const cursor = cursorOf(after);
        const query = { limit: pageSize(first), ...(cursor !== undefined && { cursor }) };
        return connectionOf(await loaders.user.listUserAccounts(query), cursor);
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

/** Copies a list, because the types of the schema have mutable lists, and those of the backend have not. */
function copyOf(entries: readonly unknown[] | undefined): unknown[] | null {
  return entries === undefined ? null : [...entries];
}
