/** User who ordered a job (specification, "AuthUser (request context)"; the spelling is the specification's). */
export interface Orderer {
  readonly BackendUser: string;
  readonly LoggedInId?: string;
}

/** Picks the user fields that a job keeps. */
export function ordererOf({ BackendUser, LoggedInId }: Orderer): Orderer {
  return { BackendUser, ...(LoggedInId !== undefined && { LoggedInId }) };
}

/** Parses a stored value; undefined if invalid. */
export function readOrderer(stored: unknown): Orderer | undefined {
  if (typeof stored !== 'object' || stored === null || !('BackendUser' in stored)) return undefined;
  const { BackendUser } = stored;
  const LoggedInId = 'LoggedInId' in stored ? stored.LoggedInId : undefined;
  if (typeof BackendUser !== 'string' || !(LoggedInId === undefined || typeof LoggedInId === 'string'))
    return undefined;
  return { BackendUser, ...(LoggedInId !== undefined && { LoggedInId }) };
}
