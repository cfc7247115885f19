/** Operations of a front end, as its developers write them; each tool makes its own file of them. */
import { gql, type TypedDocumentNode } from '@apollo/client';
import type { DrivingReportsInput, DrivingReportsStatus, JobState, Tag } from 'vehicle-location-gateway-front-end';

/** Variables of an order, whose key is new for each order and the same for each repetition. */
export interface OrderVariables {
  readonly idempotencyKey: string;
  readonly input: DrivingReportsInput;
}

export const ORDER: TypedDocumentNode<{ startDrivingReports: { jobId: string } | null }, OrderVariables> = gql`
  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {
    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {
      id
      jobId
      state
    }
  }
`;

/** Status of a job, as far as pages show it. */
export type Status = Pick<DrivingReportsStatus, 'id' | 'completed' | 'pollAfterSeconds' | 'status'> &
  Partial<Pick<DrivingReportsStatus, 'downloadUrl'>>;

export const JOB: TypedDocumentNode<{ job: Status | null }, { jobId: string }> = gql`
  query Job($jobId: ID!) {
    job(jobId: $jobId) {
      id
      completed
      pollAfterSeconds
      state
      status
      ... on DrivingReportsStatus {
        downloadUrl
      }
    }
  }
`;

export const JOBS: TypedDocumentNode<{ jobs: { edges: { node: Status }[] } }, { state?: JobState }> = gql`
  query Jobs($state: JobState) {
    jobs(state: $state, first: 10) {
      edges {
        node {
          id
          state
          ... on DrivingReportsStatus {
            downloadUrl
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

type Named = Pick<Tag, 'id' | 'name'>;

export interface Mobiles {
  readonly mobiles: {
    readonly edges: readonly {
      readonly node: Named & { readonly tags: readonly Named[]; readonly position: object };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export const MOBILES: TypedDocumentNode<Mobiles, { first: number; after?: string | null }> = gql`
  query Mobiles($first: Int!, $after: String) {
    mobiles(first: $first, after: $after) {
      edges {
        node {
          id
          name
          tags {
            id
            name
          }
          position {
            latitude
            longitude
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
