import { describeOutage } from '../../../base/errors.js';
import { onAbort } from '../../../base/waits.js';
import type { ObjectStore } from '../../../objects/object-store.js';
import type { DrawnFile } from '../../../reports/model.js';
import { beforeClosing, CLOSING_MS, type JobExecution } from '../../job.js';
import { HELD_MS } from './optional-part.js';

/** Object key of the table that lies beside the PDF of a report. */
export function tableKeyOf(key: string): string {
  return key.replace(/pdf$/, 'csv');
}

/** Stores the table of a report whose PDF is stored. @returns false if that failed, or took longer than a part may */
export async function storeTable(
  table: DrawnFile['table'],
  execution: JobExecution,
  objectStore: ObjectStore,
  key: string,
): Promise<boolean> {
  const own = new AbortController();
  const late = new DOMException(`not stored within ${HELD_MS} ms`, 'TimeoutError');
  const timer = setTimeout(() => own.abort(late), HELD_MS);
  try {
    await beforeClosing(execution, CLOSING_MS, async (closing) => {
      const unfollow = onAbort(closing, () => own.abort(closing.reason));
      await objectStore.put(tableKeyOf(key), table, own.signal).finally(unfollow);
    });
    return true;
  } catch (error) {
    execution.signal.throwIfAborted();
    execution.log.event('report.table_missing', { key, reason: describeOutage(error) });
    return false;
  } finally {
    clearTimeout(timer);
  }
}
