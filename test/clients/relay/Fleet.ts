/** Operations for relay-compiler, which makes of each a file in `generated/relay/`. A Babel plugin would put those here. */
import { graphql } from 'relay-runtime';

export const ORDER = graphql`
  mutation FleetOrderMutation($input: DrivingReportsInput!, $idempotencyKey: String!, $connections: [ID!]!) {
    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {
      id
      jobId
      state
      status @prependNode(connections: $connections, edgeTypeName: "JobEdge") {
        id
        completed
        state
      }
    }
  }
`;

export const JOBS = graphql`
  query FleetJobsQuery {
    jobs(first: 10) @connection(key: "Fleet_jobs") {
      edges {
        node {
          id
          completed
          state
        }
      }
    }
  }
`;

export const JOB = graphql`
  query FleetJobQuery($jobId: ID!) {
    job(jobId: $jobId) {
      id
      completed
      pollAfterSeconds
      status
      ... on DrivingReportsStatus {
        downloadUrl
      }
    }
  }
`;

export const MOBILES = graphql`
  query FleetQuery($count: Int!) {
    ...Fleet_mobiles @arguments(count: $count)
  }
`;

/** Each value with what went wrong with it. A null without an error of its own may be one of many. */
export const VOICES = graphql`
  query FleetVoicesQuery {
    near: mobiles(first: 30) {
      edges {
        node {
          voice @catch {
            online
          }
        }
      }
    }
    far: mobiles(first: 2, search: "M-02") {
      edges {
        node {
          voice @catch {
            online
          }
        }
      }
    }
  }
`;

export const PAGE = graphql`
  fragment Fleet_mobiles on Query
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" })
  @refetchable(queryName: "FleetPaginationQuery") {
    mobiles(first: $count, after: $cursor) @connection(key: "Fleet_mobiles") {
      edges {
        node {
          id
          tags {
            id
          }
          position {
            latitude
          }
        }
      }
    }
  }
`;
