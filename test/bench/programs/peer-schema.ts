/** Part of the gateway's schema that the workloads select, for the peers. */
export const TYPE_DEFS = /* GraphQL */ `
  type Query {
    serviceVersion: String!
    me: AuthUser
    mobiles(first: Int = 50): MobileConnection
  }
  type AuthUser {
    BackendUser: String!
    Org: String!
    Issuser: String!
    Region: String!
    IsAdmin: Boolean!
    LoggedInId: String
    ChatId: String
  }
  type MobileConnection {
    edges: [MobileEdge!]!
    pageInfo: PageInfo!
  }
  type MobileEdge {
    node: Mobile
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type Mobile {
    id: ID!
    num: String!
    name: String!
    position: Position
    voice: Voice
  }
  type Position {
    latitude: Float!
    longitude: Float!
    speedKmh: Float!
    address: String
  }
  type Voice {
    online: Boolean!
    talkGroup: String
  }
`;
