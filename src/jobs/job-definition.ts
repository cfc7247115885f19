import type { ValuesOf } from '../base/error-table.js';
import type { ValidateFunction } from 'ajv';
import type {
  Job as StartedJob,
  JobFailure,
  JobStatus,
  Mutation,
  Query,
  ResolversParentTypes,
} from '../../generated/graphql.js';
import { BODY_MEMBERS } from '../../generated/callbacks.js';
import type { FieldFault } from '../base/errors.js';
import type { JobEnd } from './record/job-ends.js';
import type { JobKind } from './record/job-kinds.js';
import type { JobResult } from './record/job-record.js';
import { bodyFault, findJsonFaults, validationFaults } from './body-faults.js';
import { isObject } from './record/stored-fields.js';
import type { Acceptance, Job, JobExecution, Work } from './job.js';

/** Fields of a type that have a given answer. */
type FieldsOf<Type, Answer> = {
  [Field in keyof Type]-?: NonNullable<Type[Field]> extends Answer ? Field : never;
}[keyof Type];

export type StartField = FieldsOf<Mutation, StartedJob>;

export type StatusField = FieldsOf<Query, JobStatus>;

type TypeName<Field extends StatusField> = NonNullable<NonNullable<Query[Field]>['__typename']>;

/** Result of such a query, without fields that have their own resolver. */
type Answered<Field extends StatusField> = ResolversParentTypes[TypeName<Field>];

export type OwnStatus<Field extends StatusField> = Omit<Answered<Field>, keyof JobStatus | '__typename'>;

interface StatusParts<Field extends StatusField> {
  /** One text per failed item; undefined if none failed. */
  readonly errors: readonly string[] | undefined;
  /** The same in parts. */
  readonly failures: readonly JobFailure[];
  readonly own: OwnStatus<Field>;
}

/**
 * Check of the user's right to a thing that a body names. Without it a user could reach things of others, because jobs
 * call backend-api with the rights of the service.
 *
 * - `mobile`: it is looked up with the user's own token
 * - `organisation`: every user of the organisation may name it, and backend-api refuses those of others
 * - `no thing`: it is a value, and names nothing
 */
type Visibility = 'mobile' | 'organisation' | 'no thing';

/** Check of each field of a body. A new field does not compile without one. `Whole` may stand for all fields inside. */
type VisibilityIn<Body, Whole extends string> = Body extends readonly (infer Entry)[]
  ? VisibilityIn<Entry, Whole>
  : Whole | (Body extends object ? { readonly [Field in keyof Body]-?: VisibilityIn<Body[Field], Whole> } : Visibility);

/** Users who may order or see a kind of job. Administrators may name everything in their organisation. */
export type Users<Request> =
  | { readonly administratorsOnly: false; readonly visibility: VisibilityIn<Request, never> }
  | { readonly administratorsOnly: true; readonly visibility: VisibilityIn<Request, 'administrators'> };

export interface NamedMobile {
  readonly id: string;
  /** Fields and indexes that lead from the body to the mobile. */
  readonly path: FieldFault['path'];
}

interface Callback<Request, Kind = JobKind> extends Pick<Job, 'itemsAt'>, Pick<Work, 'resumes'> {
  readonly kind: Kind;
  /** Maximum number of items, and the variable that sets it. */
  readonly limit: { readonly variable: ValuesOf<'TooManyItems'>['variable']; readonly max: number };
  /** Generated from `openapi/gateway.yaml`. */
  readonly validate: ValidateFunction<Request>;
  run(request: Request, execution: JobExecution): Promise<JobEnd>;
  requireOrderable?(request: Request, org: string): void;
}

export interface Offer<Reply, Start extends StartField, Status extends StatusField, Argument> {
  /** Mutation whose arguments are the body and the idempotency key. */
  readonly start: Start;
  /** Converts the argument of the mutation, without nulls, to the body; equal if absent. */
  bodyOf?(argument: Argument): object;
  readonly status: Status;
  readonly statusType: TypeName<Status>;
  /** Generated from `openapi/gateway.yaml`. */
  readonly validateReply: ValidateFunction<Reply>;
  /** Converts the reply, undefined for an unhandled job and for a dead letter, and its stored result to the status. */
  toStatus(reply: Reply | undefined, result: JobResult | undefined): StatusParts<Status>;
}

/** Kind of job that can be ordered, independent of its body and reply types. */
export interface JobDefinition<
  Kind extends JobKind = JobKind,
  Start extends StartField = StartField,
  Status extends StatusField = StatusField,
>
  extends Job, Pick<Work, 'resumes'>, Pick<Offer<unknown, Start, Status, unknown>, 'start' | 'status' | 'statusType'> {
  readonly kind: Kind;
  readonly administratorsOnly: boolean;
  /** True if only administrators may start it, and others may see those that they have started. */
  readonly administratorsStart?: boolean;
  /** Converts the argument of the mutation, without nulls, to a body that has yet to be accepted. */
  bodyOf(argument: unknown): unknown;
  /** Returns the mobiles that an accepted body names. The user who orders the job must be allowed to see them. */
  mobiles(body: unknown): readonly NamedMobile[];
  /** Converts a reply to the status. @throws {Error} when it does not match the contract of the callback */
  toStatus(reply: unknown, result?: JobResult): StatusParts<Status>;
}

/**
 * Creates a job from its definition. Only this function knows the types of body and reply, and the compiler checks that
 * the status has all fields of the SDL.
 */
export function defineJob<
  Request,
  Reply,
  Kind extends JobKind,
  Start extends StartField,
  Status extends StatusField,
  Argument,
>(
  definition: Callback<Request, Kind> & Offer<Reply, Start, Status, Argument> & Users<Request>,
): JobDefinition<Kind, Start, Status> {
  return {
    ...definition,
    accept: (body, isAdmitted) => acceptBody(definition, body, isAdmitted),
    // GraphQL has coerced the argument to its type.
    bodyOf: (argument) => definition.bodyOf?.(argument as Argument) ?? argument,
    mobiles: (body) => mobilesIn(definition.visibility, body, []),
    toStatus: (reply, result) => definition.toStatus(storedReply(definition.validateReply, reply), result),
  };
}

/** Checks a body. The count comes first, because every other check reads the whole body. */
function acceptBody<Request>(callback: Callback<Request>, body: unknown, isAdmitted = false): Acceptance {
  const { kind, itemsAt, limit, validate, resumes } = callback;
  const { max, variable } = limit;
  const items = itemsAt.reduce((value, field) => (isObject(value) ? value[field] : undefined), body);
  const total = Array.isArray(items) ? items.length : 0;
  if (total > max && !isAdmitted) return { kind: 'too many', values: { found: total, limit: max, variable } };
  const jsonFaults = findJsonFaults(body, BODY_MEMBERS[kind]);
  if (jsonFaults.length > 0) return { kind: 'faults', faults: jsonFaults.map(bodyFault) };
  if (!validate(body)) return { kind: 'faults', faults: validationFaults(validate) };
  return { kind: 'work', work: { total, resumes, run: (execution) => callback.run(body, execution) } };
}

function mobilesIn(visibility: unknown, value: unknown, path: FieldFault['path']): NamedMobile[] {
  // Lists of other things can be long.
  if (typeof visibility === 'string' && visibility !== 'mobile') return [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => mobilesIn(visibility, entry, [...path, index]));
  if (visibility === 'mobile') {
    return typeof value === 'string' || typeof value === 'number' ? [{ id: String(value), path }] : [];
  }
  if (!isObject(visibility) || !isObject(value)) return [];
  return Object.entries(visibility).flatMap(([field, inside]) => mobilesIn(inside, value[field], [...path, field]));
}

/** Returns the stored reply of a job; undefined without one. @throws {Error} when it is not of the specification */
function storedReply<Reply>(validate: ValidateFunction<Reply>, reply: unknown): Reply | undefined {
  if (reply === undefined || validate(reply)) return reply;
  throw new Error('The stored reply of a job does not match its specification.');
}
