import type createClient from 'openapi-fetch';
import type { paths } from '../../../generated/backend-api.js';
import type { Backend } from '../backend.js';

/** Common parts of all backend-api calls. */
export interface BackendApiParts {
  readonly backend: Backend;
  /** Describes requests; each call passes the function that sends them. */
  readonly client: ReturnType<typeof createClient<paths>>;
  /** For requests that are built without the client. */
  readonly baseUrl: string;
  /** Returns their query string, without a question mark. */
  readonly queryOf: (parameters: object) => string;
}
