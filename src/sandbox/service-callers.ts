import type { Identification } from './backend-server.js';
import { BackendFailure } from './operation-types.js';

/** Keys that geo-api or voip-api accepts or rejects. */
export interface ServiceKeys {
  /** Required `x-api-key`; undefined: none. */
  readonly own: string | undefined;
  /** Key of backend-api, which other services must never receive. */
  readonly backendApi: string;
}

/** Checks callers of geo-api and voip-api, which must never receive a user's token or an organisation. */
export function serviceIdentification(keys: ServiceKeys): Identification {
  return ({ authorization, 'x-api-key': given, 'x-org-id': org }, isPublic) => {
    const apiKey = given === undefined ? 'absent' : given === keys.own ? 'right' : 'wrong';
    const seen = { apiKey, org: typeof org === 'string' ? org : undefined } as const;
    if (authorization !== undefined) {
      return { ...seen, violation: 'an Authorization header must not be sent here' };
    }
    if (org !== undefined) return { ...seen, violation: 'x-org-id must not be sent here' };
    if (given === keys.backendApi && given !== keys.own) {
      return { ...seen, violation: 'the key of backend-api must not be sent here' };
    }
    if (isPublic || keys.own === undefined || apiKey === 'right') return seen;
    return { ...seen, failure: new BackendFailure(401, 'A valid x-api-key is required.') };
  };
}
