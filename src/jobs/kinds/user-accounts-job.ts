import { BODY_MEMBERS } from '../../../generated/callbacks.js';
import type { components } from '../../../generated/gateway.js';
import type { UserAccountOperationInput, UserAccountOperationType } from '../../../generated/graphql.js';
import { BulkUserAccountReply, BulkUserAccountRequest } from '../../../generated/validators/gateway.js';
import type { UserAccountInput } from '../../clients/backend-api.js';
import { ItemFailure } from '../../base/errors.js';
import { BULK_ROWS } from '../record/job-ends.js';
import { bulkJob } from './bulk-job.js';

type Schemas = components['schemas'];

/** Values of `type` (specification, "Bulk user account operation item"). */
const TYPES: Readonly<Record<UserAccountOperationType, Schemas['UserAccountOperation']['type']>> = {
  CREATE: 0,
  UPDATE: 1,
  DELETE: 2,
};

export const userAccountsJob = bulkJob({
  ...BULK_ROWS['user-accounts'],
  kind: 'user-accounts',
  start: 'startBulkOperationUserAccount',
  bodyOf: (items: readonly UserAccountOperationInput[]) =>
    items.map(({ type, ...item }) => ({ ...item, type: TYPES[type] })),
  status: 'fetchBulkOperationUserAccountStatus',
  statusType: 'BulkOperationUserAccountStatus',
  administratorsOnly: true,
  visibility: { type: 'no thing', userAccountInput: 'administrators' },
  validate: BulkUserAccountRequest,
  validateReply: BulkUserAccountReply,
  label: ({ userAccountInput }) => userAccountInput.loginId,
  secret: ({ userAccountInput }) => userAccountInput.password,
  effectOf: ({ type }) => (type === TYPES.CREATE ? 'create' : type === TYPES.DELETE ? 'delete' : 'set'),
  calls: {
    async create({ userAccountInput }, backend, key) {
      const input = knownFields(userAccountInput);
      requireToCreate(input);
      return backend.createUserAccount(input, key);
    },
    set: ({ userAccountInput }, backend) => backend.updateUserAccount(knownFields(userAccountInput)),
    delete: ({ userAccountInput }, backend) => backend.deleteUserAccount(userAccountInput.loginId),
  },
  own(reply, shared) {
    const created = reply?.data?.created_user_account_id;
    return { ...shared, createdUserAccountId: created ? [...created] : null };
  },
});

function requireToCreate(input: UserAccountInput): void {
  for (const field of ['password', 'name'] as const) {
    if (input[field] === undefined || input[field] === '') throw new ItemFailure('FieldRequired', { field });
  }
}

/** Fields that are passed on (specification, "Bulk user account operation item"); others are dropped. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(BODY_MEMBERS['user-accounts'].userAccountInput));

function knownFields(input: Schemas['UserAccountInput']): UserAccountInput {
  const given = Object.entries(input).filter(([name]) => KNOWN_FIELDS.has(name));
  return Object.fromEntries(given) as UserAccountInput; // fromEntries loses the entry types
}
