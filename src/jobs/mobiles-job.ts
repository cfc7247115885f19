import type { components } from '../../generated/gateway.js';
import { BulkMobileRequest } from '../../generated/validators/gateway.js';
import type { BackendApi, MobilePatch } from '../clients/backend-api.js';
import { runBulk } from './bulk.js';
import { defineJob, type Job } from './job.js';

type MobileUpdate = components['schemas']['MobileUpdate'];
type Reply = components['schemas']['BulkMobileReply'];

/** Updates mobile stations, one after another. */
export function mobilesJob({
  backendApi,
  mostItems,
}: {
  readonly backendApi: BackendApi;
  readonly mostItems: number;
}): Job {
  return defineJob({
    kind: 'mobiles',
    path: '/api/v1/Mobile/BulkUpdateCallback',
    limit: { variable: 'BULK_MAX_ITEMS', most: mostItems },
    validate: BulkMobileRequest,
    count: (updates) => updates.length,
    async run(updates, execution): Promise<Reply> {
      const backend = backendApi.asService(execution.job.org, execution.signal);
      const { errors } = await runBulk<MobileUpdate>(
        {
          items: updates,
          label: ({ id }) => String(id),
          async apply(update) {
            // Repeating an update in doubt is harmless: it sets the same values again.
            await backend.updateMobile(update.id, patchOf(update));
            return undefined;
          },
        },
        execution,
      );
      return errors.length === 0 ? { status: 'Success' } : { status: 'Failure', errors: [...errors] };
    },
  });
}

function patchOf({ num, name, tagIds }: MobileUpdate): MobilePatch {
  return {
    ...(num !== undefined && { num }),
    ...(name !== undefined && { name }),
    ...(tagIds !== undefined && { tagIds }),
  };
}
