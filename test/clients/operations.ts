/** Operations of a front end, as its developers write them; each tool makes its own file of them. */
import { gql, type TypedDocumentNode } from '@apollo/client';
import type { DrivingReportsInput, JobOutcome } from 'vehicle-location-gateway-front-end';

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
export interface Status {
  readonly id: string;
  readonly completed: boolean;
  readonly status: JobOutcome | null;
  readonly downloadUrl?: string | null;
}

export const JOB: TypedDocumentNode<{ job: Status | null }, { jobId: string }> = gql`
  query Job($jobId: ID!) {
    job(jobId: $jobId) {
      id
      completed
      state
      status
      ... on DrivingReportsStatus {
        downloadUrl
      }
    }
  }
`;

export const JOBS: TypedDocumentNode<{ jobs: { edges: { node: Status }[] } }, Record<string, never>> = gql`
  query Jobs {
    jobs(first: 10) {
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

interface Named {
  readonly id: string;
  readonly name: string;
}

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
