import type { MobileUpdateInput } from '../../../generated/graphql.js';
import { BulkMobileReply, BulkMobileRequest } from '../../../generated/validators/gateway.js';
import { BULK_ROWS } from '../record/job-ends.js';
import { present } from '../record/stored-fields.js';
import { identifierIn } from '../../base/wire/json-content.js';
import { bulkJob } from './bulk-job.js';

export const mobilesJob = bulkJob({
  ...BULK_ROWS.mobiles,
  kind: 'mobiles',
  start: 'startBulkUpdateMobile',
  bodyOf: (items: readonly MobileUpdateInput[]) =>
    items.map(({ id, tagIds, ...item }) => ({
      ...item,
      id: numberOf(id),
      ...(tagIds && { tagIds: tagIds.map(numberOf) }),
    })),
  status: 'fetchBulkUpdateMobileStatus',
  statusType: 'BulkUpdateMobileStatus',
  administratorsOnly: false,
  visibility: { id: 'mobile', num: 'no thing', name: 'no thing', tagIds: 'organisation' },
  validate: BulkMobileRequest,
  validateReply: BulkMobileReply,
  label: ({ id }) => String(id),
  effectOf: () => 'set',
  calls: { set: ({ id, num, name, tagIds }, backend) => backend.updateMobile(id, present({ num, name, tagIds })) },
  own: (_reply, shared) => shared,
});

/** Returns the number of an identifier; any other text as it is, which is not accepted in a body. */
function numberOf(id: string): number | string {
  return identifierIn(id) ?? id;
}
