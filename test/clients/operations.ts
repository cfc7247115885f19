/** Operations of a front end, as its developers write them; each tool makes its own file of them. */
import { gql, type TypedDocumentNode } from '@apollo/client';
import type { DrivingReportsInput, DrivingReportsStatus, JobState, Tag } from 'vehicle-location-gateway-front-end';

/** Variables of an order, whose key is new for each order and the same for each repetition. */
export interface OrderVariables {
  readonly idempotencyKey: string;
  readonly input: DrivingReportsInput;
}

/** Status of a job, as far as pages show it. */
export type Status = Pick<DrivingReportsStatus, 'id' | 'completed' | 'pollAfterSeconds' | 'status'> &
  Partial<Pick<DrivingReportsStatus, 'downloadUrl'>>;

const REPORT_LINK = gql`
  fragment ReportLink on DrivingReportsStatus {
    downloadUrl
  }
`;

/** Nested fragments, whose order in a document is no matter of taste where hashes name it. */
const SHOWN_STATUS = gql`
  fragment ShownStatus on JobStatus {
    id
    completed
    pollAfterSeconds
    state
    status
    ...ReportLink
  }
  ${REPORT_LINK}
`;

/** Answer to an order. Its status goes into the list of jobs at once. */
export interface Ordered {
  readonly startDrivingReports: { readonly jobId: string; readonly status: Status | null } | null;
}

export const ORDER: TypedDocumentNode<Ordered, OrderVariables> = gql`
  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {
    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {
      id
      jobId
      state
      status {
        ...ShownStatus
      }
    }
  }
  ${SHOWN_STATUS}
`;

export const JOB: TypedDocumentNode<{ job: Status | null }, { jobId: string }> = gql`
  query Job($jobId: ID!) {
    job(jobId: $jobId) {
      ...ShownStatus
    }
  }
  ${SHOWN_STATUS}
`;

/** A page of jobs. */
export interface Jobs {
  readonly jobs: { readonly edges: readonly { readonly __typename?: 'JobEdge'; readonly node: Status }[] };
}

export const JOBS: TypedDocumentNode<Jobs, { state?: JobState }> = gql`
  query Jobs($state: JobState) {
    jobs(state: $state, first: 10) {
      edges {
        node {
          ...ShownStatus
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
  ${SHOWN_STATUS}
`;

/** Puts a job on top of a page of jobs, unless it is there: an order that was repeated names the job of the first. */
export function withJob<Page extends Jobs>(page: Page, node: Status): Page {
  const { edges } = page.jobs;
  if (edges.some((edge) => edge.node.id === node.id)) return page;
  return { ...page, jobs: { ...page.jobs, edges: [{ __typename: 'JobEdge', node }, ...edges] } };
}

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
