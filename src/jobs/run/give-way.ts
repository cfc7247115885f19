import { describeError } from '../../errors.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { OrganisationJobs } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logging/logger.js';
import { JobGaveWayError } from '../job.js';

/** Interval of looks for jobs that should give way, in milliseconds: waiting jobs should begin within two seconds. */
const LOOK_EVERY_MS = 500;

/** Job of this process that can be asked to give way. */
export interface Yielding {
  readonly job: JobIdentity;
  giveWay(reason: JobGaveWayError): void;
}

/** Asks running jobs to give way while their organisation runs more than its share beside others. */
export interface GivingWay {
  /** Watches a job until it has ended. @returns ends the watch */
  watch(yielding: Yielding): () => void;
}

/**
 * Looks for jobs that should give way, twice a second and only while jobs run. One look per organisation, independent
 * of its number of jobs here.
 */
export function createGivingWay(organisations: Pick<OrganisationJobs, 'surplus'>, logger: Logger): GivingWay {
  const watched = new Set<Yielding>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    for (const org of new Set([...watched].map(({ job }) => job.org))) {
      const surplus = await organisations.surplus(org);
      for (const each of watched) {
        const { kind, jobId } = each.job;
        if (each.job.org !== org || !surplus.some((other) => other.kind === kind && other.jobId === jobId)) continue;
        each.giveWay(new JobGaveWayError('A job of another organisation waits.'));
      }
    }
  }

  function lookAgain(): void {
    looking ??= look()
      // Running jobs continue; the next look finds the waiting ones.
      .catch((error: unknown) => logger.event('job.surplus_unknown', { reason: describeError(error) }))
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    watch(yielding) {
      watched.add(yielding);
      timer ??= setInterval(lookAgain, LOOK_EVERY_MS).unref();
      return () => {
        watched.delete(yielding);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
