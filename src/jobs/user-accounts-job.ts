import type { components } from '../../generated/gateway.js';
import { BulkUserAccountRequest } from '../../generated/validators/gateway.js';
import type { BackendApi, UserAccountInput } from '../clients/backend-api.js';
import { BackendRefusal } from '../clients/call-errors.js';
import { badInput, GatewayError } from '../errors.js';
import { runBulk } from './bulk.js';
import { defineJob, type Job, type JobEnd } from './job.js';

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
}): Job {
  return defineJob({
    kind: 'user-accounts',
    limit: { variable: 'BULK_MAX_ITEMS', max: maxItems },
    validate: BulkUserAccountRequest,
    itemsOf: (body) => body,
    async run(operations, execution): Promise<JobEnd> {
      const backend = backendApi.asService(execution.job.org, execution.signal);
      const { createdIds, errors, failedItems } = await runBulk<Operation>(
        {
          items: operations,
          label: ({ userAccountInput }) => userAccountInput.loginId,
          async apply({ type, userAccountInput }, { index, inDoubt }) {
            const input = knownFields(userAccountInput);
            try {
              if (type === CREATE) {
                requireToCreate(input);
                return await backend.createUserAccount(input, `${execution.effectId ?? execution.job.jobId}:${index}`);
              }
              if (type === UPDATE) await backend.updateUserAccount(input);
              else
                await backend.deleteUserAccount(input.loginId).catch((error: unknown) => forgiveGone(error, inDoubt));
              return undefined;
            } catch (error) {
              throw repeatsPassword(error, input) ? reasonWithheld() : error;
            }
          },
        },
        execution,
      );
      const data = { created_user_account_id: [...createdIds] };
      const reply: Reply =
        errors.length === 0
          ? { status: 'Success', data }
          : { status: 'Failure', ...(createdIds.length > 0 && { data }), errors: [...errors] };
      return { reply, failedItems };
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

/** Backends word their refusals themselves, and replies and records never hold a password. */
function repeatsPassword(error: unknown, { password }: UserAccountInput): boolean {
  return error instanceof GatewayError && password !== undefined && password !== '' && error.message.includes(password);
}

function reasonWithheld(): GatewayError {
  return badInput('backend-api refused it; the reason is not shown because it repeats the password');
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
