import type { ValidateFunction } from 'ajv';
import type { BackendApi, ServiceCalls } from '../../clients/backend-api.js';
import { BackendOutage, BackendRefusal } from '../../clients/call-errors.js';
import { ItemFailure } from '../../base/errors.js';
import { encodeKeyPart } from '../record/job-record.js';
import type { JobKind } from '../record/job-kinds.js';
import { serviceOf, type EndedBecause, type JobEnd, type JobExecution, type NotedJob } from '../job.js';
import { offerJob, type Offer, type OwnStatus, type StartField, type StatusField, type Users } from '../offered-job.js';
import { failuresOf, outcomeWithoutRun, runBulk, type Bulk, type BulkOutcome, type ItemPlace } from './bulk.js';
import { beforeClosing, CLOSING_MS } from './closing-time.js';

/** Dependencies and limits of all bulk jobs. */
export interface BulkJobOptions {
  readonly backendApi: BackendApi;
  readonly bulkMaxItems: number;
  /** Minimum time for which backend-api remembers an `Idempotency-Key`, in milliseconds. */
  readonly keysRememberedMs: number;
}

/** Job of an item, and its calls to backend-api. */
interface ItemContext extends ItemPlace, Pick<BulkJobOptions, 'keysRememberedMs'> {
  readonly backend: ServiceCalls;
  readonly execution: JobExecution;
}

/** Operation on the items of a kind of job, and the part of the reply that it makes. */
interface BulkItems<Item> extends Pick<Bulk<Item>, 'repeatable' | 'label' | 'secret'> {
  /** Processes one item. @returns the id of the created object, if any */
  apply(item: Item, context: ItemContext): Promise<number | undefined>;
  /** Returns `data` of the reply; no reply has it if absent. */
  readonly dataOf?: (createdIds: readonly number[]) => object;
}

/**
 * Creates a kind of job whose body is a list of items, which backend-api processes one by one. Its reply says
 * `Success`, or `Failure` with one text for each failed item.
 */
export function bulkJob<
  Item,
  Reply extends { readonly errors?: readonly string[] },
  Kind extends JobKind,
  Start extends StartField,
  Status extends StatusField,
  Argument,
>(
  definition: Omit<Offer<Reply, Start, Status, Argument>, 'toStatus'> &
    Users<readonly Item[]> &
    BulkItems<Item> & {
      readonly kind: Kind;
      readonly validate: ValidateFunction<readonly Item[]>;
      /** Returns the fields that the status of this kind has. @param shared those that the first bulk jobs share */
      own(reply: Reply | undefined, shared: ReturnType<typeof failuresOf>['own']): OwnStatus<Status>;
    },
) {
  const create = ({ bulkMaxItems, ...options }: BulkJobOptions) =>
    offerJob({
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
  return Object.assign(create, {
    endWithoutRun: (job: NotedJob, why: EndedBecause) =>
      endOf(definition, outcomeWithoutRun(job, why, definition.repeatable)),
  });
}

async function runItems<Item>(
  definition: BulkItems<Item>,
  items: readonly Item[],
  { backendApi, keysRememberedMs }: Omit<BulkJobOptions, 'bulkMaxItems'>,
  execution: JobExecution,
): Promise<JobEnd> {
  const outcome = await beforeClosing(execution, CLOSING_MS, (signal) => {
    const backend = backendApi.asService({ ...serviceOf(execution), signal });
    const apply: Bulk<Item>['apply'] = (item, place) =>
      definition.apply(item, { ...place, backend, execution, keysRememberedMs });
    return runBulk({ ...definition, items, apply }, execution);
  });
  return endOf(definition, outcome);
}

function endOf({ dataOf }: Pick<BulkItems<never>, 'dataOf'>, { createdIds, errors, ...end }: BulkOutcome): JobEnd {
  const isSuccess = errors.length === 0;
  const reply = {
    status: isSuccess ? 'Success' : 'Failure',
    ...(dataOf && (isSuccess || createdIds.length > 0) && { data: dataOf(createdIds) }),
    ...(!isSuccess && { errors }),
  };
  return { reply, ...end };
}

/**
 * Creates an object under a key by which backend-api recognises a repetition, and returns its id. An earlier attempt's
 * create is repeated only while backend-api remembers the key; later it would create a second object.
 */
export async function createOnce(context: ItemContext, create: (key: string) => Promise<number>): Promise<number> {
  const { execution, index, inDoubt, repeated, keysRememberedMs } = context;
  const mayBeForgotten = inDoubt && !repeated && Date.now() - execution.startedAt >= keysRememberedMs;
  if (mayBeForgotten) throw new ItemFailure('TooOldToRepeat');
  // Equal ids of jobs in different organisations have different keys.
  const { job, effectId = job.jobId } = execution;
  try {
    return await create(`${encodeKeyPart(job.org ?? '')}:${effectId}:${index}`);
  } catch (error) {
    const isAnswered409 = error instanceof BackendRefusal && error.httpStatus === 409;
    if (!inDoubt || !isAnswered409 || error.retryAfterMs === undefined) throw error;
    // The first call of a create that is repeated is still being answered.
    throw new BackendOutage(error.backend, { httpStatus: 409, retryAfterMs: error.retryAfterMs });
  }
}
