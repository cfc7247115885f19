import { isJobKind } from '../../job-record/job-kinds.js';
import { encodeKeyPart, type JobIdentity } from '../../job-record/job-record.js';
import { organisationTag, type IndexedJob } from '../../job-record/organisation-jobs.js';

/** Keys of one organisation, which share a slot of a Cluster. */
export interface OrganisationKeys {
  readonly index: string;
  /** Open jobs by the time at which they were opened, and their bytes. */
  readonly open: string;
  readonly sizes: string;
  /** Running jobs by the time of their claim, and by the end of their lease. */
  readonly running: string;
  readonly leases: string;
}

/** Keys of an organisation. */
export function keysOf(org: string | undefined): OrganisationKeys {
  return keysOfTag(organisationTag(org));
}

/** The same by its tag. */
export function keysOfTag(tag: string): OrganisationKeys {
  const index = `jobs:{${tag}}`;
  return {
    index,
    open: `${index}:open`,
    sizes: `${index}:sizes`,
    running: `${index}:running`,
    leases: `${index}:leases`,
  };
}

/** The organisation with a tag. */
export function orgOf(tag: string): string | undefined {
  return tag === organisationTag(undefined) ? undefined : decodeURIComponent(tag);
}

/** A job within the keys of its organisation. */
export function memberOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return `${kind}:${encodeKeyPart(jobId)}`;
}

/** The job of {@link memberOf}; undefined for any other text. */
export function parseMember(member: string): Pick<JobIdentity, 'kind' | 'jobId'> | undefined {
  const colon = member.indexOf(':');
  const kind = member.slice(0, colon);
  return isJobKind(kind) ? { kind, jobId: decodeURIComponent(member.slice(colon + 1)) } : undefined;
}

/** Jobs from a list of members and scores. */
export function entriesOf(org: string | undefined, list: readonly string[]): IndexedJob[] {
  const jobs: IndexedJob[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const job = parseMember(list[at] ?? '');
    if (job !== undefined) jobs.push({ ...job, org, createdAt: Number(list[at + 1]) });
  }
  return jobs;
}
