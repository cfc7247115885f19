import type { JobIdentity, JobRecord, JobResult } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';

export interface ItemFailure {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  /** Reason, as in the reply to its caller; null if unknown. */
  readonly reason: string | null;
}

/**
 * Returns the failed items of a job. The source is its reply once it was handled; before that, and for a dead letter,
 * the outcomes stored beside the record.
 */
export async function itemFailuresOf(
  jobStore: JobStore,
  job: JobIdentity,
  record: JobRecord | undefined,
): Promise<readonly ItemFailure[]> {
  if (record?.result?.status === 200) return repliedFailures(record.result);
  const items = await jobStore.readItems(job);
  return items.flatMap(({ index, failure }) => (failure === undefined ? [] : [{ index, reason: failure }]));
}

function repliedFailures({ body, failedItems }: JobResult): readonly ItemFailure[] {
  const reasons = reasonsIn(body);
  // Both lists are in the order of the items. Earlier builds did not store the places.
  const places = failedItems ?? reasons.map(({ index }) => index).filter((index) => index !== undefined);
  return places.map((index, at) => ({ index, reason: reasons[at]?.text ?? null }));
}

interface Reason {
  readonly index?: number | undefined;
  readonly text: string;
}

/** Reads the reasons of failed items from a reply (specification, "Resources and their fields"). */
function reasonsIn(body: string): readonly Reason[] {
  const reply: unknown = JSON.parse(body);
  if (typeof reply !== 'object' || reply === null) return [];
  if ('errors' in reply && Array.isArray(reply.errors)) return reply.errors.map((error) => reasonOfItem(String(error)));
  if ('errorList' in reply && Array.isArray(reply.errorList)) return reply.errorList.map(reasonOfDriver);
  return [];
}

/** Parses `[index] label: reason`, as written by bulk jobs. */
function reasonOfItem(error: string): Reason {
  const [, index, text = error] = /^\[(\d{1,10})\] (.*)$/s.exec(error) ?? [];
  return { text, index: index === undefined ? undefined : Number(index) };
}

function reasonOfDriver(error: unknown): Reason {
  const fields = new Map<string, unknown>(typeof error === 'object' && error !== null ? Object.entries(error) : []);
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '-';
  };
  return { text: `mobile ${text('mobileId')}, employee ${text('employeeCode')}: ${text('message')} (${text('code')})` };
}
