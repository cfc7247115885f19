import type { Identification } from './backend-server.js';
import { BackendFailure } from './operation-types.js';

/** Which keys a service other than backend-api accepts. */
export interface ServiceKeys {
  /** What `x-api-key` must be; undefined when the service asks for no key. */
  readonly own: string | undefined;
  /** The key of backend-api, which must never come here. */
  readonly backendApi: string;
}

/** Checks callers of geo-api and voip-api: no user's token and no organisation may ever reach them. */
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
