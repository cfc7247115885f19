import { graphql } from './generated/index.js';
import type { ListMobilesQuery } from './generated/graphql.js';
import type { Answer } from './graphql-client.js';
import type { Session } from './session.js';

const LIST_MOBILES = graphql(`
  query ListMobiles($search: String, $after: String) {
    mobiles(search: $search, first: 200, after: $after) {
      edges {
        node {
          id
          num
          name
          position {
            latitude
            longitude
            recordedAt
            address
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** A mobile with its last known position. */
export type Mobile = NonNullable<Answer<ListMobilesQuery>['mobiles']['edges'][number]['node']>;

/** Reads all mobiles that match, page by page. Take what is there: the rest may come while people read. */
export async function* listMobiles(session: Session, search?: string): AsyncGenerator<Mobile, undefined> {
  let after: string | null = null;
  do {
    const { mobiles }: Answer<ListMobilesQuery> = await session.request(LIST_MOBILES, { search, after });
    // A mobile that the gateway cannot make sense of is null, and reported as a gap.
    for (const { node } of mobiles.edges) if (node !== null) yield node;
    after = mobiles.pageInfo.hasNextPage ? mobiles.pageInfo.endCursor : null;
  } while (after !== null);
}
