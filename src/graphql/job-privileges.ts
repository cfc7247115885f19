import type { AuthUser } from '../auth/auth-user.js';
import { forbidden } from '../errors.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';

/** Kinds whose jobs administrators alone may order and see. */
const ADMINISTRATORS_ONLY: ReadonlySet<JobKind> = new Set<JobKind>(['user-accounts']);

type Privileges = Pick<AuthUser, 'IsAdmin'>;

/** @throws {GatewayError} `Forbidden` for everybody but administrators */
export function requireAdministrator({ IsAdmin }: Privileges): void {
  if (!IsAdmin) throw forbidden('Only administrators may do this.');
}

/** Kinds of job a user may see. */
export function visibleKinds({ IsAdmin }: Privileges): readonly JobKind[] {
  return JOB_KINDS.filter((kind) => IsAdmin || !ADMINISTRATORS_ONLY.has(kind));
}
