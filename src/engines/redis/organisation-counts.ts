import { RECORD_RETENTION_MS, type JobIdentity } from '../../job-record/job-record.js';
import { organisationTag, type IndexedJob } from '../../job-record/organisation-jobs.js';
import type { RedisConnection } from './connection.js';
import { KEY_PREFIX } from './key-prefix.js';
import { defineOrganisationCommands } from './organisation-commands.js';
import { entriesOf, keysOf, keysOfTag, memberOf, orgOf, parseMember } from './organisation-keys.js';

/** Organisations that may have work, by the time at which that was noted last; in the slot of the queue. */
const ORGANISATIONS = `${KEY_PREFIX}:organisations`;

/** What an organisation has under way. */
export interface Look {
  readonly running: number;
  readonly open: number;
  /** Open jobs that do not run. */
  readonly waiting: number;
  /** Open jobs that are older than the one in question. */
  readonly older: number;
  readonly now: number;
}

/** Bounds on open jobs. */
export interface OpenBounds {
  readonly maxOpen: number;
  readonly maxOpenBytes: number;
}

/** What is counted of the jobs of each organisation, one script at a time, which decides nothing by itself. */
export class OrganisationCounts {
  readonly #client: RedisConnection['client'];
  readonly #clockOffsetMs: () => number;

  /** @param clockOffsetMs milliseconds added to the server's time; for tests */
  constructor({ client }: RedisConnection, clockOffsetMs: () => number) {
    this.#client = client;
    this.#clockOffsetMs = clockOffsetMs;
    defineOrganisationCommands(client);
  }

  /** Counts a job as open. @returns when that was, milliseconds since 1970; 0 when a bound is reached */
  async open(job: JobIdentity, bytes: number, { maxOpen, maxOpenBytes }: OpenBounds): Promise<number> {
    const { open, sizes } = keysOf(job.org);
    const reply = await this.#client.orgOpen(
      open,
      sizes,
      this.#clockOffsetMs(),
      memberOf(job),
      bytes,
      limitOf(maxOpen),
      limitOf(maxOpenBytes),
      // An open job is prolonged by nothing but its end; a record that waits lives no longer.
      RECORD_RETENTION_MS,
    );
    return Number(reply);
  }

  /** Notes a job in the index, and that its organisation has work. @param createdAt what {@link open} returned */
  async index(job: JobIdentity, createdAt: number): Promise<void> {
    await Promise.all([
      this.#client.orgIndex(
        keysOf(job.org).index,
        this.#clockOffsetMs(),
        memberOf(job),
        createdAt,
        RECORD_RETENTION_MS,
      ),
      this.hasWork(job.org, createdAt),
    ]);
  }

  /** Notes that an organisation has work. @param at when it had, by the clock of {@link open} and {@link run} */
  async hasWork(org: string | undefined, at: number): Promise<void> {
    await this.#client.orgHasWork(ORGANISATIONS, at, organisationTag(org), RECORD_RETENTION_MS);
  }

  /** Lets a job run, unless so many run. */
  async run(job: JobIdentity, leaseMs: number, max: number): Promise<'taken' | 'held' | 'full'> {
    const { running, leases } = keysOf(job.org);
    const member = memberOf(job);
    const reply: unknown = await this.#client.orgRun(
      running,
      leases,
      this.#clockOffsetMs(),
      member,
      leaseMs,
      limitOf(max),
      RECORD_RETENTION_MS,
    );
    const [place, now] = Array.isArray(reply) ? (reply as readonly unknown[]) : [];
    // After it: whoever sees this finds that it runs.
    await this.hasWork(job.org, Number(now));
    return place === 'held' || place === 'full' ? place : 'taken';
  }

  /** A job does not run any more. @param ended whether it is not open either */
  async leave(job: JobIdentity, ended: boolean): Promise<void> {
    const { running, leases, open, sizes } = keysOf(job.org);
    const reply = await this.#client.orgLeave(
      running,
      leases,
      open,
      sizes,
      this.#clockOffsetMs(),
      memberOf(job),
      ended ? 1 : 0,
    );
    const [left, now] = numbersOf(reply);
    if (left === 0 && now !== undefined) await this.hasNone(organisationTag(job.org), now);
  }

  /** What an organisation has under way. @param member the job in question */
  async look(tag: string, member = ''): Promise<Look> {
    const { running, leases, open } = keysOfTag(tag);
    const reply = numbersOf(await this.#client.orgLook(running, leases, open, this.#clockOffsetMs(), member));
    const [runs = 0, opened = 0, waiting = 0, older = 0, now = 0] = reply;
    return { running: runs, open: opened, waiting, older, now };
  }

  /** Its running jobs beyond a number, those claimed last. */
  async surplus(org: string | undefined, max: number): Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]> {
    const { running, leases } = keysOf(org);
    const members = await this.#client.orgSurplus(running, leases, this.#clockOffsetMs(), max);
    return textsOf(members).flatMap((member) => parseMember(member) ?? []);
  }

  /** Its open jobs by the time at which they were opened, and the time now. */
  async openJobs(tag: string): Promise<{ readonly jobs: readonly IndexedJob[]; readonly now: number }> {
    const reply: unknown = await this.#client.orgOpenJobs(keysOfTag(tag).open, this.#clockOffsetMs());
    const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
    const [now, list] = parts;
    return { jobs: entriesOf(orgOf(tag), textsOf(list)), now: Number(now) };
  }

  /** Tags of organisations that may have work, those first of which that was noted last. */
  organisations(start: number, count: number): Promise<readonly string[]> {
    return this.#client.zrevrange(ORGANISATIONS, start, start + count - 1);
  }

  /** Forgets that an organisation has work, unless it was noted since. */
  async hasNone(tag: string, seenAt: number): Promise<void> {
    await this.#client.orgHasNone(ORGANISATIONS, 0, tag, seenAt);
  }
}

function limitOf(limit: number): number {
  return limit === Infinity ? -1 : limit;
}

function textsOf(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

function numbersOf(reply: unknown): readonly number[] {
  return Array.isArray(reply) ? reply.map(Number) : [];
}
