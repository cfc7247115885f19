import type createClient from 'openapi-fetch';
import type { components, paths } from '../../../generated/backend-api.js';
import type { Backend } from '../backend.js';

type Schemas = components['schemas'];
export type Mobile = Schemas['Mobile'];
export type Position = Schemas['Position'];
export type MobilePatch = Schemas['MobilePatch'];
export type DrivingRecord = Schemas['DrivingRecord'];
export type Tag = Schemas['Tag'];
export type UserAccount = Schemas['UserAccount'];
export type UserAccountInput = Schemas['UserAccountInput'];
export type PublicKey = Schemas['PublicKey'];
export type Session = Schemas['Session'];
export type LoginReply = Schemas['LoginReply'];
export type OtpDelivery = Schemas['OtpDelivery'];

/** What every call of backend-api is made of. */
export interface BackendApiParts {
  readonly backend: Backend;
  /** Describes requests; each call brings the function that sends them. */
  readonly client: ReturnType<typeof createClient<paths>>;
  /** For requests that are described without it. */
  readonly baseUrl: string;
}
