import type { ValidateFunction } from 'ajv';
import type { BackendApi, ServiceCalls } from '../../clients/backend-api.js';
import { CallError, endedBy, isRefusal, meaningOf, type Refusal } from '../../clients/call-error.js';
import { ItemFailure } from '../../base/errors.js';
import { endOfBulk, type BULK_ROWS, type BulkRow, type JobEnd } from '../record/job-ends.js';
import { serviceOf, type JobExecution, beforeClosing, CLOSING_MS } from '../job.js';
import {
  defineJob,
  type Offer,
  type OwnStatus,
  type StartField,
  type StatusField,
  type Users,
} from '../job-definition.js';
import { failuresOf, runBulk, type Bulk, type ItemPlace } from './run-bulk.js';

export interface BulkJobOptions {
  readonly backendApi: BackendApi;
  readonly bulkMaxItems: number;
  /** Minimum time for which backend-api remembers an `Idempotency-Key`, in milliseconds. */
  readonly queuePatienceMs: number;
}

interface ItemContext extends ItemPlace, Pick<BulkJobOptions, 'queuePatienceMs'> {
  readonly backend: ServiceCalls;
  readonly execution: JobExecution;
}

/** Calls that process an item, by their effect, which decides how a call in doubt is repeated. */
interface Calls<Item> {
  /** Sets values. A repetition changes nothing. */
  set(item: Item, backend: ServiceCalls): Promise<unknown>;
  /** Creates an object under an idempotency key. @returns its id */
  create(item: Item, backend: ServiceCalls, key: string): Promise<number>;
  /** Deletes an object. A repetition could delete one that was created again meanwhile. */
  delete(item: Item, backend: ServiceCalls): Promise<unknown>;
}

type Effect = keyof Calls<never>;

interface BulkItems<Item, Effects extends Effect = Effect> extends BulkRow, Pick<Bulk<Item>, 'label' | 'secret'> {
  effectOf(item: Item): Effects;
  readonly calls: Pick<Calls<Item>, Effects>;
}

/**
 * Creates a kind of job whose body is a list of items, which backend-api processes one by one. Its reply says
 * `Success`, or `Failure` with one text for each failed item.
 */
export function bulkJob<
  Item,
  Reply extends { readonly errors?: readonly string[] },
  Kind extends keyof typeof BULK_ROWS,
  Start extends StartField,
  Status extends StatusField,
  Argument,
  Effects extends Effect,
>(
  definition: Omit<Offer<Reply, Start, Status, Argument>, 'toStatus'> &
    Users<readonly Item[]> &
    BulkItems<Item, Effects> & {
      readonly kind: Kind;
      readonly validate: ValidateFunction<readonly Item[]>;
      /** Returns the fields that the status of this kind has. @param shared those that the first bulk jobs share */
      own(reply: Reply | undefined, shared: ReturnType<typeof failuresOf>['own']): OwnStatus<Status>;
    },
) {
  return ({ bulkMaxItems, ...options }: BulkJobOptions) =>
    defineJob({
      ...definition,
      limit: { variable: 'BULK_MAX_ITEMS', max: bulkMaxItems },
      itemsAt: [],
      resumes: true,
      run: (items, execution) => runItems(definition, items, options, execution),
      toStatus(reply, result) {
        const { own, ...parts } = failuresOf(reply?.errors, result);
        return { ...parts, own: definition.own(reply, own) };
      },
    });
}

async function runItems<Item, Effects extends Effect>(
  definition: BulkItems<Item, Effects>,
  items: readonly Item[],
  { backendApi, queuePatienceMs }: Omit<BulkJobOptions, 'bulkMaxItems'>,
  execution: JobExecution,
): Promise<JobEnd> {
  const outcome = await beforeClosing(execution, CLOSING_MS, (signal) => {
    const backend = backendApi.asService({ ...serviceOf(execution), signal });
    const apply: Bulk<Item>['apply'] = (item, place) =>
      applyOnce(definition, item, { backend, execution, queuePatienceMs, ...place });
    return runBulk({ ...definition, items, apply }, execution);
  });
  return endOfBulk(definition, outcome);
}

/** Makes the call of an item, and repeats it in the way of its effect. @returns the id of the created object, if any */
async function applyOnce<Item, Effects extends Effect>(
  definition: BulkItems<Item, Effects>,
  item: Item,
  context: ItemContext,
): Promise<number | undefined> {
  const { backend } = context;
  // The call of each effect that `effectOf` returns is there.
  const calls = definition.calls as Calls<Item>;
  switch (definition.effectOf(item)) {
    case 'create':
      return createOnce(context, (key) => calls.create(item, backend, key), definition.label(item));
    case 'delete':
      await deleteOnce(context, () => calls.delete(item, backend));
      return undefined;
    case 'set':
      try {
        await calls.set(item, backend);
      } catch (error) {
        throw isRefusedInDoubt(error, context) ? refusedInDoubt(error) : error;
      }
      return undefined;
  }
}

/**
 * Creates an object under a key by which backend-api recognises a repetition, and returns its id. An earlier attempt's
 * create is repeated only while backend-api remembers the key; later it would create a second object.
 */
async function createOnce(
  context: ItemContext,
  create: (key: string) => Promise<number>,
  loginId: string,
): Promise<number> {
  const { execution, index, inDoubt, repeated, queuePatienceMs } = context;
  const mayBeForgotten = inDoubt && !repeated && Date.now() - execution.startedAt >= queuePatienceMs;
  if (mayBeForgotten) throw new ItemFailure('TooOldToRepeat');
  try {
    return await create(`${execution.keyPrefix}:${index}`);
  } catch (error) {
    if (inDoubt && hasStatus(error, 409) && error.details.retryAfterMs !== undefined) {
      // The first call of a create that is repeated is still being answered.
      throw new CallError(error.dependency, 'failed', error.cause, error.details);
    }
    throw isRefusedInDoubt(error, context) ? await afterLookUp(context, error, loginId) : error;
  }
}

/**
 * Returns the failure of a create whose repetition was refused. Without an account, the first try was refused as well.
 * An account may be that of somebody else.
 */
async function afterLookUp({ backend }: ItemContext, refusal: Refusal, loginId: string): Promise<unknown> {
  try {
    await backend.getUserAccount(loginId);
    return refusedInDoubt(refusal, true);
  } catch (error) {
    if (hasStatus(error, 404)) return refusal;
    return isFinalAnswer(error) || error instanceof ItemFailure ? refusedInDoubt(refusal) : error;
  }
}

/**
 * Deletes an object. After a delete in doubt, 404 means that an earlier attempt did it. A router in front of
 * backend-api may answer 404 in the same form, so it is believed only if backend-api then lists the accounts of the
 * organisation, and a second delete is answered 404 too.
 */
async function deleteOnce(context: ItemContext, remove: () => Promise<unknown>): Promise<void> {
  const { backend, inDoubt } = context;
  try {
    await remove();
    return;
  } catch (error) {
    if (isRefusedInDoubt(error, context)) throw refusedInDoubt(error);
    if (!inDoubt || !hasStatus(error, 404)) throw error;
  }
  try {
    await backend.listUserAccounts({ limit: 1 });
    await remove();
  } catch (error) {
    if (hasStatus(error, 404)) return;
    throw isFinalAnswer(error) ? new ItemFailure('NotConfirmed') : error;
  }
}

/** Statuses that may refuse a repetition because an earlier try had its effect. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 409, 422]);

function isRefusedInDoubt(error: unknown, { inDoubt }: Pick<ItemPlace, 'inDoubt'>): error is Refusal {
  return inDoubt && isRefusal(error) && REFUSED.has(error.details.httpStatus);
}

function refusedInDoubt({ dependency, cause, details }: Refusal, exists = false): CallError {
  return new CallError(dependency, 'refused in doubt', cause, { ...details, exists });
}

function hasStatus(error: unknown, status: number): error is Refusal {
  return isRefusal(error) && error.details.httpStatus === status;
}

/** Returns true for an answer that a repetition would not change. */
function isFinalAnswer(error: unknown): boolean {
  return meaningOf(error).counts === 'served' || endedBy(error, 'redirected');
}
