import type { components } from '../../../generated/gateway.js';
import type { UserAccountOperationInput, UserAccountOperationType } from '../../../generated/graphql.js';
import { BulkUserAccountReply, BulkUserAccountRequest } from '../../../generated/validators/gateway.js';
import type { BackendApi, ServiceCalls, UserAccountInput } from '../../clients/backend-api.js';
import { BackendOutage, BackendRefusal, isAnswer } from '../../clients/call-errors.js';
import { ItemFailure } from '../../errors.js';
import { encodeKeyPart } from '../../job-record/job-record.js';
import { failuresOf, outcomeWithoutRun, runBulk, type Bulk, type BulkOutcome } from './bulk.js';
import { beforeClosing, CLOSING_MS } from './closing-time.js';
import { serviceOf, type JobEnd, type JobExecution, type EndedBecause, type NotedJob } from '../job.js';
import { offerJob } from '../offered-job.js';

type Schemas = components['schemas'];
type Operation = Schemas['UserAccountOperation'];
type Reply = Schemas['BulkUserAccountReply'];

/** Values of `type` (specification, "Bulk user account operation item"). */
const TYPES: Readonly<Record<UserAccountOperationType, Operation['type']>> = { CREATE: 0, UPDATE: 1, DELETE: 2 };

/** Creates, updates and deletes user accounts, one after another. */
export function userAccountsJob({
  backendApi,
  maxItems,
  keysRememberedMs,
}: {
  readonly backendApi: BackendApi;
  readonly maxItems: number;
  /** Minimum time for which backend-api remembers an `Idempotency-Key`, in milliseconds. */
  readonly keysRememberedMs: number;
}) {
  return offerJob({
    kind: 'user-accounts',
    start: 'startBulkOperationUserAccount',
    bodyOf: (items: readonly UserAccountOperationInput[]) =>
      items.map(({ type, ...item }) => ({ ...item, type: TYPES[type] })),
    status: 'fetchBulkOperationUserAccountStatus',
    statusType: 'BulkOperationUserAccountStatus',
    administratorsOnly: true,
    limit: { variable: 'BULK_MAX_ITEMS', max: maxItems },
    validate: BulkUserAccountRequest,
    itemsAt: [],
    visibility: { type: 'no thing', userAccountInput: 'administrators' },
    resumes: true,
    async run(operations, execution): Promise<JobEnd> {
      const outcome = await beforeClosing(execution, CLOSING_MS, (signal) => {
        const backend = backendApi.asService({ ...serviceOf(execution), signal });
        const bulk: Bulk<Operation> = {
          items: operations,
          // A repeated delete could delete an account that was created again meanwhile.
          repeatable: false,
          label: ({ userAccountInput }) => userAccountInput.loginId,
          secret: ({ userAccountInput }) => userAccountInput.password,
          async apply({ type, userAccountInput }, { index, inDoubt, repeated }) {
            const input = knownFields(userAccountInput);
            if (type === TYPES.CREATE) {
              requireToCreate(input);
              // Within one attempt backend-api still remembers the key.
              if (inDoubt && !repeated) requireRemembered(execution, keysRememberedMs);
              return backend.createUserAccount(input, idempotencyKey(execution, index)).catch((error: unknown) => {
                throw inDoubt ? underWay(error) : error;
              });
            }
            if (type === TYPES.UPDATE) await backend.updateUserAccount(input);
            else await deleteAccount(backend, input.loginId, inDoubt);
            return undefined;
          },
        };
        return runBulk(bulk, execution);
      });
      return endOf(outcome);
    },
    endWithoutRun: endAccountsWithoutRun,
    validateReply: BulkUserAccountReply,
    tell(reply, result) {
      const created = reply?.data?.created_user_account_id;
      const { own, ...told } = failuresOf(reply?.errors, result);
      return { ...told, own: { ...own, createdUserAccountId: created ? [...created] : null } };
    },
  });
}

/** Returns the end of a job that is not running. */
export function endAccountsWithoutRun(job: NotedJob, why: EndedBecause): JobEnd {
  return endOf(outcomeWithoutRun(job, why, false));
}

function endOf({ createdIds, errors, ...end }: BulkOutcome): JobEnd {
  const data = { created_user_account_id: [...createdIds] };
  const reply: Reply =
    errors.length === 0
      ? { status: 'Success', data }
      : { status: 'Failure', ...(createdIds.length > 0 && { data }), errors: [...errors] };
  return { reply, ...end };
}

function requireToCreate(input: UserAccountInput): void {
  for (const field of ['password', 'name'] as const) {
    if (input[field] === undefined || input[field] === '') throw new ItemFailure('FieldRequired', { field });
  }
}

/** Converts a 409 with a pause to a wait: the first call of a create that is repeated is still being answered. */
function underWay(error: unknown): unknown {
  const isUnderWay = error instanceof BackendRefusal && error.httpStatus === 409 && error.retryAfterMs !== undefined;
  if (!isUnderWay) return error;
  const { backend, httpStatus, retryAfterMs } = error;
  return new BackendOutage(backend, { httpStatus, retryAfterMs });
}

/**
 * Allows a create in doubt to be repeated only while backend-api remembers its key. Later it would create a second
 * account.
 */
function requireRemembered({ startedAt }: JobExecution, keysRememberedMs: number): void {
  if (Date.now() - startedAt < keysRememberedMs) return;
  throw new ItemFailure('TooOldToRepeat');
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
    throw isAnswer(error) ? new ItemFailure('NotConfirmed') : error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof BackendRefusal && error.httpStatus === 404;
}

/**
 * Returns the key under which backend-api recognises a repeated create. It contains the organisation, so that equal ids
 * of jobs in different organisations differ.
 */
function idempotencyKey({ job: { org, jobId }, effectId }: JobExecution, index: number): string {
  return `${org === undefined ? '' : encodeKeyPart(org)}:${effectId ?? jobId}:${index}`;
}

/** Fields that are passed on (specification, "Bulk user account operation item"); others are dropped. */
const KNOWN_FIELDS: readonly (keyof UserAccountInput)[] = [
  'loginId',
  'password',
  'name',
  'isAdmin',
  'useChat',
  'functionRestriction',
  'useIndivFilter',
  'indivs',
  'useVPTGrpFilter',
  'vptGrps',
  'useLandmarkCategoryFilter',
  'landmarkCategories',
  'useConnectionLimit',
];

function knownFields(input: Schemas['UserAccountInput']): UserAccountInput {
  const given = KNOWN_FIELDS.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
  return Object.fromEntries(given) as UserAccountInput; // fromEntries loses the entry types
}
