import type createClient from 'openapi-fetch';
import type { paths } from '../../../generated/backend-api.js';
import type { Backend } from '../backend.js';

/** What every call of backend-api is made of. */
export interface BackendApiParts {
  readonly backend: Backend;
  /** Describes requests; each call brings the function that sends them. */
  readonly client: ReturnType<typeof createClient<paths>>;
  /** For requests that are described without it. */
  readonly baseUrl: string;
  /** Their query, without a question mark. */
  readonly queryOf: (parameters: object) => string;
}
