import { describeError } from '../../errors.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { OrganisationJobs } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logging/logger.js';
import { JobGaveWayError } from '../job.js';

/** How often it is asked who should give way, in milliseconds: those who wait should begin within two seconds. */
const LOOK_EVERY_MS = 500;

/** A job of this process that can be asked to give way. */
export interface Yielding {
  readonly job: JobIdentity;
  giveWay(reason: JobGaveWayError): void;
}

/** Asks running jobs to give way while there are more of their organisation than may run beside others. */
export interface GivingWay {
  /** Watches over a job until it has ended. @returns ends that */
  watch(yielding: Yielding): () => void;
}

/**
 * Looks twice a second, and only while jobs run, which jobs should give way. One look for each organisation, however
 * many of its jobs run here.
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
      // They go on; whoever waits is found at the next look.
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
