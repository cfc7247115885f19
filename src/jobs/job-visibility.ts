import { forbidden } from '../errors.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';

/** Whose jobs, and which of them, a user may see (specification, "AuthUser (request context)"). */
export interface JobViewer {
  readonly Org: string;
  readonly IsAdmin: boolean;
}

/** Kinds whose jobs administrators alone may order and see. */
const ADMINISTRATORS_ONLY: ReadonlySet<JobKind> = new Set<JobKind>(['user-accounts']);

/** @throws {GatewayError} `Forbidden` for everybody but administrators */
export function requireAdministrator({ IsAdmin }: Pick<JobViewer, 'IsAdmin'>): void {
  if (!IsAdmin) throw forbidden('Only administrators may do this.');
}

/** Kinds of job a user may see. */
export function visibleKinds({ IsAdmin }: Pick<JobViewer, 'IsAdmin'>): readonly JobKind[] {
  return JOB_KINDS.filter((kind) => IsAdmin || !ADMINISTRATORS_ONLY.has(kind));
}
