import { invalidInput } from '../errors.js';
import { isJobKind } from '../job-record/job-kinds.js';
import type { IndexPosition } from '../job-record/organisation-jobs.js';

/** Encodes a place in the list of jobs as opaque text for clients. */
export function jobCursor({ createdAt, kind, jobId }: IndexPosition): string {
  return Buffer.from(JSON.stringify([createdAt, kind, jobId])).toString('base64url');
}

/** Parses a cursor. @throws {GatewayError} `BadInput` if invalid */
export function readJobCursor(cursor: string): IndexPosition {
  const [createdAt, kind, jobId] = parsed(cursor);
  const isTime = typeof createdAt === 'number' && Number.isSafeInteger(createdAt) && createdAt >= 0;
  if (isTime && typeof kind === 'string' && isJobKind(kind) && typeof jobId === 'string' && jobId.isWellFormed()) {
    return { createdAt, kind, jobId };
  }
  throw invalidInput([{ path: ['after'], message: 'must be an endCursor' }]);
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
