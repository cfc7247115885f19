import type { ValidateFunction } from 'ajv';
import type { Job as StartedJob, JobStatus, Mutation, Query, ResolversParentTypes } from '../../generated/graphql.js';
import type { JobKind } from '../job-record/job-kinds.js';
import { defineJob, type Job, type JobDefinition, type JobEnd, type NotedJob } from './job.js';

/** The fields of a type that answer something. */
type FieldsOf<Type, Answer> = {
  [Field in keyof Type]-?: NonNullable<Type[Field]> extends Answer ? Field : never;
}[keyof Type];

/** A mutation of the SDL that starts jobs. */
export type StartField = FieldsOf<Mutation, StartedJob>;

/** A query of the SDL that tells how a job is doing. */
export type StatusField = FieldsOf<Query, JobStatus>;

/** The name of the type that such a query answers. */
type TypeName<Field extends StatusField> = NonNullable<NonNullable<Query[Field]>['__typename']>;

/** What such a query answers; fields with a resolver of their own are not in it. */
type Answered<Field extends StatusField> = ResolversParentTypes[TypeName<Field>];

/** What the status of one kind of job tells and no other does. */
export type OwnStatus<Field extends StatusField> = Omit<Answered<Field>, keyof JobStatus | '__typename'>;

/** What the reply of a callback tells a poller. */
export interface Told<Field extends StatusField> {
  /** One text per item that failed; undefined when none did. */
  readonly errors: readonly string[] | undefined;
  readonly own: OwnStatus<Field>;
}

/** How the front end orders a kind of job and follows it. */
interface Offer<Request, Reply, Start extends StartField, Status extends StatusField> {
  /** Its only argument is the body. */
  readonly start: Start;
  readonly status: Status;
  /** The type that it answers. */
  readonly statusType: TypeName<Status>;
  /** Whether nobody else may order such a job or see it. */
  readonly administratorsOnly: boolean;
  /** Ids of the mobiles that the body names: whoever orders the job has to see them. */
  mobileIds(request: Request): readonly string[];
  /** How a job ends that is cancelled while nobody runs it. */
  cancelled(job: NotedJob): JobEnd;
  /** Generated from `openapi/gateway.yaml`. */
  readonly validateReply: ValidateFunction<Reply>;
  /** @param reply undefined until the job was handled, and of a dead letter */
  tell(reply: Reply | undefined): Told<Status>;
}

/** What makes a kind of job that can be ordered. */
export type OfferedJobDefinition<
  Request,
  Reply,
  Kind extends JobKind,
  Start extends StartField,
  Status extends StatusField,
> = JobDefinition<Request> & Offer<Request, Reply, Start, Status> & { readonly kind: Kind };

/** A kind of job that can be ordered, whatever its body and its reply look like. */
export interface OfferedJob<
  Kind extends JobKind = JobKind,
  Start extends StartField = StartField,
  Status extends StatusField = StatusField,
>
  extends
    Job,
    Pick<
      Offer<unknown, unknown, Start, Status>,
      'start' | 'status' | 'statusType' | 'administratorsOnly' | 'cancelled'
    > {
  readonly kind: Kind;
  /** @param body that was accepted */
  mobileIds(body: unknown): readonly string[];
  /** @throws {Error} when the reply is not what the callback answers */
  tell(reply: unknown): Told<Status>;
}

/** Makes a job of its definition; that its status tells all that the SDL promises is for the compiler to say. */
export function offerJob<Request, Reply, Kind extends JobKind, Start extends StartField, Status extends StatusField>(
  definition: OfferedJobDefinition<Request, Reply, Kind, Start, Status>,
): OfferedJob<Kind, Start, Status> {
  const { kind, start, status, statusType, administratorsOnly, validateReply } = definition;
  return {
    ...defineJob<Request>(definition),
    kind,
    start,
    status,
    statusType,
    administratorsOnly,
    cancelled: (job) => definition.cancelled(job),
    mobileIds: (body) => definition.mobileIds(body as Request), // it was accepted
    tell(reply) {
      if (reply === undefined || validateReply(reply)) return definition.tell(reply);
      throw new Error('The stored reply of a job does not match its specification.');
    },
  };
}
