import type { components } from '../../../generated/gateway.js';
import { BulkUserAccountReply, BulkUserAccountRequest } from '../../../generated/validators/gateway.js';
import type { BackendApi, UserAccountInput } from '../../clients/backend-api.js';
import { BackendRefusal } from '../../clients/call-errors.js';
import { badInput } from '../../errors.js';
import { encodeKeyPart } from '../../job-record/job-record.js';
import { runBulk, type Bulk } from './bulk.js';
import { beforeClosing, CLOSING_MS } from './closing-time.js';
import { serviceOf, type JobEnd, type JobExecution } from '../job.js';
import { offerJob } from '../offered-job.js';

type Schemas = components['schemas'];
type Operation = Schemas['UserAccountOperation'];
type Reply = Schemas['BulkUserAccountReply'];

/** Values of `type` (specification, "Bulk user account operation item"). */
const CREATE = 0;
const UPDATE = 1;

/** Creates, updates and deletes user accounts, one after another. */
export function userAccountsJob({
  backendApi,
  maxItems,
}: {
  readonly backendApi: BackendApi;
  readonly maxItems: number;
}) {
  return offerJob({
    kind: 'user-accounts',
    start: 'startBulkOperationUserAccount',
    status: 'fetchBulkOperationUserAccountStatus',
    statusType: 'BulkOperationUserAccountStatus',
    administratorsOnly: true,
    limit: { variable: 'BULK_MAX_ITEMS', max: maxItems },
    validate: BulkUserAccountRequest,
    itemsOf: (body) => body,
    mobileIds: () => [],
    resumes: true,
    async run(operations, execution): Promise<JobEnd> {
      const { createdIds, errors, failedItems, cancelledItems } = await beforeClosing(
        execution,
        CLOSING_MS,
        (signal) => {
          const backend = backendApi.asService({ ...serviceOf(execution), signal });
          const bulk: Bulk<Operation> = {
            items: operations,
            // Whoever deletes an account and creates it anew must not do that twice.
            repeatable: false,
            label: ({ userAccountInput }) => userAccountInput.loginId,
            secret: ({ userAccountInput }) => userAccountInput.password,
            async apply({ type, userAccountInput }, { index, inDoubt }) {
              const input = knownFields(userAccountInput);
              if (type === CREATE) {
                requireToCreate(input);
                return backend.createUserAccount(input, idempotencyKey(execution, index));
              }
              if (type === UPDATE) await backend.updateUserAccount(input);
              else
                await backend.deleteUserAccount(input.loginId).catch((error: unknown) => forgiveGone(error, inDoubt));
              return undefined;
            },
          };
          return runBulk(bulk, execution);
        },
      );
      const data = { created_user_account_id: [...createdIds] };
      const reply: Reply =
        errors.length === 0
          ? { status: 'Success', data }
          : { status: 'Failure', ...(createdIds.length > 0 && { data }), errors: [...errors] };
      return { reply, failedItems, cancelledItems };
    },
    validateReply: BulkUserAccountReply,
    tell(reply) {
      const created = reply?.data?.created_user_account_id;
      return { errors: reply?.errors, own: { createdUserAccountId: created ? [...created] : null } };
    },
  });
}

function requireToCreate(input: UserAccountInput): void {
  for (const field of ['password', 'name'] as const) {
    if (input[field] === undefined || input[field] === '') throw badInput(`${field} is required to create an account`);
  }
}

/** An in-doubt delete that finds nothing was done by the attempt before. */
function forgiveGone(error: unknown, inDoubt: boolean): void {
  if (inDoubt && error instanceof BackendRefusal && error.httpStatus === 404) return;
  throw error;
}

/**
 * Key under which backend-api recognises a create that is repeated. It names the organisation, so that organisations
 * that use the same job id never meet.
 */
function idempotencyKey({ job: { org, jobId }, effectId }: JobExecution, index: number): string {
  return `${org === undefined ? '' : encodeKeyPart(org)}:${effectId ?? jobId}:${index}`;
}

/** What the specification names; anything else in a body is not passed on. */
function knownFields(input: Schemas['UserAccountInput']): UserAccountInput {
  const {
    loginId,
    password,
    name,
    isAdmin,
    useChat,
    functionRestriction,
    useIndivFilter,
    indivs,
    useVPTGrpFilter,
    vptGrps,
    useLandmarkCategoryFilter,
    landmarkCategories,
    useConnectionLimit,
  } = input;
  return withoutUndefined({
    loginId,
    password,
    name,
    isAdmin,
    useChat,
    functionRestriction,
    useIndivFilter,
    indivs,
    useVPTGrpFilter,
    vptGrps,
    useLandmarkCategoryFilter,
    landmarkCategories,
    useConnectionLimit,
  });
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries) as Defined<T>; // fromEntries forgets which entries there are
}
