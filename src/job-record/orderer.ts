import { present, type StoredFields } from './stored.js';

/** User who ordered a job (specification, "AuthUser (request context)"; the spelling is the specification's). */
export interface Orderer {
  readonly BackendUser: string;
  readonly LoggedInId?: string;
}

/** Picks the user fields that a job keeps. */
export function ordererOf({ BackendUser, LoggedInId }: Orderer): Orderer {
  return { BackendUser, ...present({ LoggedInId }) };
}

/** Parses stored fields. @throws {DamagedError} */
export function parseOrderer(fields: StoredFields): Orderer {
  return { BackendUser: fields.text('BackendUser'), ...present({ LoggedInId: fields.optionalText('LoggedInId') }) };
}
