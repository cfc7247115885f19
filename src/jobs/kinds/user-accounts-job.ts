import { BODY_MEMBERS } from '../../../generated/callbacks.js';
import type { components } from '../../../generated/gateway.js';
import type { UserAccountOperationInput, UserAccountOperationType } from '../../../generated/graphql.js';
import { BulkUserAccountReply, BulkUserAccountRequest } from '../../../generated/validators/gateway.js';
import type { ServiceCalls, UserAccountInput } from '../../clients/backend-api.js';
import { BackendRefusal, ContractBreach, isAnswer } from '../../clients/call-errors.js';
import { ItemFailure } from '../../base/errors.js';
import { bulkJob, createOnce } from './bulk-job.js';

type Schemas = components['schemas'];
type Reply = Schemas['BulkUserAccountReply'];

/** Values of `type` (specification, "Bulk user account operation item"). */
const TYPES: Readonly<Record<UserAccountOperationType, Schemas['UserAccountOperation']['type']>> = {
  CREATE: 0,
  UPDATE: 1,
  DELETE: 2,
};

/** Creates, updates and deletes user accounts, one after another. */
export const userAccountsJob = bulkJob({
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
  // A repeated delete could delete an account that was created again meanwhile.
  repeatable: false,
  label: ({ userAccountInput }) => userAccountInput.loginId,
  secret: ({ userAccountInput }) => userAccountInput.password,
  async apply({ type, userAccountInput }, context) {
    const { backend, inDoubt } = context;
    const input = knownFields(userAccountInput);
    if (type === TYPES.CREATE) {
      requireToCreate(input);
      return createOnce(context, (key) => backend.createUserAccount(input, key));
    }
    if (type === TYPES.UPDATE) await backend.updateUserAccount(input);
    else await deleteAccount(backend, input.loginId, inDoubt);
    return undefined;
  },
  dataOf: (createdIds): Reply['data'] & object => ({ created_user_account_id: [...createdIds] }),
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

/**
 * Deletes an account. After a delete in doubt, 404 means that an earlier attempt did it. A router in front of
 * backend-api may answer 404 in the same form, so it is believed only if backend-api then lists the accounts of the
 * organisation, and a second delete is answered 404 too.
 */
async function deleteAccount(backend: ServiceCalls, loginId: string, inDoubt: boolean): Promise<void> {
  try {
    await backend.deleteUserAccount(loginId);
    return;
  } catch (error) {
    if (!inDoubt || !isNotFound(error)) throw error;
  }
  try {
    await backend.listUserAccounts({ limit: 1 });
    await backend.deleteUserAccount(loginId);
  } catch (error) {
    if (isNotFound(error)) return;
    throw isAnswer(error) || error instanceof ContractBreach ? new ItemFailure('NotConfirmed') : error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof BackendRefusal && error.httpStatus === 404;
}

/** Fields that are passed on (specification, "Bulk user account operation item"); others are dropped. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(BODY_MEMBERS['user-accounts'].userAccountInput));

function knownFields(input: Schemas['UserAccountInput']): UserAccountInput {
  const given = Object.entries(input).filter(([name]) => KNOWN_FIELDS.has(name));
  return Object.fromEntries(given) as UserAccountInput; // fromEntries loses the entry types
}
