import type { BackendApi, ServiceCalls } from '../../clients/backend-api.js';
import { BackendOutage, BackendRefusal } from '../../clients/call-errors.js';
import { ItemFailure } from '../../errors.js';
import { encodeKeyPart } from '../../job-record/job-record.js';
import type { JobKind } from '../../job-record/job-kinds.js';
import { serviceOf, type EndedBecause, type JobEnd, type JobExecution, type NotedJob } from '../job.js';
import { offerJob, type Offer, type OwnStatus, type StartField, type StatusField, type Users } from '../offered-job.js';
import { failuresOf, outcomeWithoutRun, runBulk, type Bulk, type BulkOutcome, type ItemPlace } from './bulk.js';
import { beforeClosing, CLOSING_MS } from './closing-time.js';

/** Dependencies and limits of all bulk jobs. */
export interface BulkJobOptions {
  readonly backendApi: BackendApi;
  /** Maximum number of items. */
  readonly maxItems: number;
  /** Minimum time for which backend-api remembers an `Idempotency-Key`, in milliseconds. */
  readonly keysRememberedMs: number;
}

/** Job of an item, and its calls to backend-api. */
interface ItemContext extends ItemPlace, Pick<BulkJobOptions, 'keysRememberedMs'> {
  readonly backend: ServiceCalls;
  readonly execution: JobExecution;
}

/**
 * Creates a kind of job whose body is a list of items, which backend-api processes one by one: a function that creates
 * the job, with the end of one that is not running. Its reply says `Success`, or `Failure` with one text for each
 * failed item.
 */
export function bulkJob<
  Item,
  Reply extends { readonly errors?: readonly string[] },
  Kind extends JobKind,
  Start extends StartField,
  Status extends StatusField,
  Argument,
>(
  definition: Pick<
    Offer<readonly Item[], Reply, Start, Status, Argument>,
    'start' | 'bodyOf' | 'status' | 'statusType' | 'validate' | 'validateReply'
  > &
    Users<readonly Item[]> &
    Pick<Bulk<Item>, 'repeatable' | 'label' | 'secret'> & {
      readonly kind: Kind;
      /** Processes one item. @returns the id of the created object, if any */
      apply(item: Item, context: ItemContext): Promise<number | undefined>;
      /** Returns `data` of the reply; no reply has it if absent. */
      readonly dataOf?: (createdIds: readonly number[]) => object;
      /** Returns the fields that the status of this kind has. @param shared those that the first bulk jobs share */
      own(reply: Reply | undefined, shared: ReturnType<typeof failuresOf>['own']): OwnStatus<Status>;
    },
) {
  const { repeatable, dataOf } = definition;

  function endOf({ createdIds, errors, ...end }: BulkOutcome): JobEnd {
    const isSuccess = errors.length === 0;
    const reply = {
      status: isSuccess ? 'Success' : 'Failure',
      ...(dataOf && (isSuccess || createdIds.length > 0) && { data: dataOf(createdIds) }),
      ...(!isSuccess && { errors }),
    };
    return { reply, ...end };
  }

  function endWithoutRun(job: NotedJob, why: EndedBecause): JobEnd {
    return endOf(outcomeWithoutRun(job, why, repeatable));
  }

  function create({ backendApi, maxItems, keysRememberedMs }: BulkJobOptions) {
    return offerJob({
      ...definition,
      limit: { variable: 'BULK_MAX_ITEMS', max: maxItems },
      itemsAt: [],
      resumes: true,
      async run(items, execution) {
        const outcome = await beforeClosing(execution, CLOSING_MS, (signal) => {
          const backend = backendApi.asService({ ...serviceOf(execution), signal });
          const apply: Bulk<Item>['apply'] = (item, place) =>
            definition.apply(item, { ...place, backend, execution, keysRememberedMs });
          return runBulk({ ...definition, items, apply }, execution);
        });
        return endOf(outcome);
      },
      tell(reply, result) {
        const { own, ...told } = failuresOf(reply?.errors, result);
        return { ...told, own: definition.own(reply, own) };
      },
    });
  }

  return Object.assign(create, { endWithoutRun });
}

/**
 * Creates an object under a key by which backend-api recognises a repetition. A create in doubt is repeated only while
 * backend-api remembers the key; later it would create a second object. Within one attempt it still does.
 *
 * @returns the id of the object
 */
export async function createOnce(context: ItemContext, create: (key: string) => Promise<number>): Promise<number> {
  const { execution, index, inDoubt, repeated, keysRememberedMs } = context;
  const mayBeForgotten = inDoubt && !repeated && Date.now() - execution.startedAt >= keysRememberedMs;
  if (mayBeForgotten) throw new ItemFailure('TooOldToRepeat');
  return create(idempotencyKey(execution, index)).catch((error: unknown) => {
    throw inDoubt ? underWay(error) : error;
  });
}

/** Converts a 409 with a pause to a wait: the first call of a create that is repeated is still being answered. */
function underWay(error: unknown): unknown {
  const isUnderWay = error instanceof BackendRefusal && error.httpStatus === 409 && error.retryAfterMs !== undefined;
  if (!isUnderWay) return error;
  const { backend, httpStatus, retryAfterMs } = error;
  return new BackendOutage(backend, { httpStatus, retryAfterMs });
}

/**
 * Returns the key under which backend-api recognises a repeated create. It contains the organisation, so that equal ids
 * of jobs in different organisations differ.
 */
function idempotencyKey({ job: { org, jobId }, effectId }: JobExecution, index: number): string {
  return `${org === undefined ? '' : encodeKeyPart(org)}:${effectId ?? jobId}:${index}`;
}
