import type { components } from '../../../generated/gateway.js';
import type { MobileUpdateInput } from '../../../generated/graphql.js';
import { BulkMobileReply, BulkMobileRequest } from '../../../generated/validators/gateway.js';
import type { BackendApi } from '../../clients/backend-api.js';
import { present } from '../../job-record/stored.js';
import { identifierIn } from '../../wire/identifier.js';
import { failuresOf, outcomeWithoutRun, runBulk, type Bulk, type BulkOutcome } from './bulk.js';
import { beforeClosing, CLOSING_MS } from './closing-time.js';
import { serviceOf, type JobEnd, type EndedBecause, type NotedJob } from '../job.js';
import { offerJob } from '../offered-job.js';

type MobileUpdate = components['schemas']['MobileUpdate'];
type Reply = components['schemas']['BulkMobileReply'];

/** Updates mobile stations, one after another. */
export function mobilesJob({ backendApi, maxItems }: { readonly backendApi: BackendApi; readonly maxItems: number }) {
  return offerJob({
    kind: 'mobiles',
    start: 'startBulkUpdateMobile',
    bodyOf: (items: readonly MobileUpdateInput[]) =>
      items.map(({ id, tagIds, ...item }) => ({
        ...item,
        id: numbered(id),
        ...(tagIds && { tagIds: tagIds.map(numbered) }),
      })),
    status: 'fetchBulkUpdateMobileStatus',
    statusType: 'BulkUpdateMobileStatus',
    administratorsOnly: false,
    limit: { variable: 'BULK_MAX_ITEMS', max: maxItems },
    validate: BulkMobileRequest,
    itemsAt: [],
    visibility: { id: 'mobile', num: 'no thing', name: 'no thing', tagIds: 'organisation' },
    resumes: true,
    async run(updates, execution): Promise<JobEnd> {
      const outcome = await beforeClosing(execution, CLOSING_MS, (signal) => {
        const backend = backendApi.asService({ ...serviceOf(execution), signal });
        const bulk: Bulk<MobileUpdate> = {
          items: updates,
          // A repeated update sets the same values.
          repeatable: true,
          label: ({ id }) => String(id),
          async apply({ id, num, name, tagIds }) {
            await backend.updateMobile(id, present({ num, name, tagIds }));
            return undefined;
          },
        };
        return runBulk(bulk, execution);
      });
      return endOf(outcome);
    },
    endWithoutRun: endMobilesWithoutRun,
    validateReply: BulkMobileReply,
    tell: (reply, result) => failuresOf(reply?.errors, result),
  });
}

/** Returns the number of an identifier; any other text as it is, which is not accepted in a body. */
function numbered(id: string): number | string {
  return identifierIn(id) ?? id;
}

/** Returns the end of a job that is not running. */
export function endMobilesWithoutRun(job: NotedJob, why: EndedBecause): JobEnd {
  return endOf(outcomeWithoutRun(job, why, true));
}

function endOf({ errors, createdIds: _, ...end }: BulkOutcome): JobEnd {
  const reply: Reply = errors.length === 0 ? { status: 'Success' } : { status: 'Failure', errors: [...errors] };
  return { reply, ...end };
}
