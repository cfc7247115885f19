import type createClient from 'openapi-fetch';
import type { paths, components } from '../../../generated/backend-api.js';
import type { Backend } from '../backend.js';

type Schemas = components['schemas'];
export type Mobile = Schemas['Mobile'];
export type MobilePatch = Schemas['MobilePatch'];
export type Trip = Schemas['Trip'];
export type DrivingRecord = Omit<Schemas['DrivingRecord'], 'trips'> & { readonly trips: readonly Trip[] };
export type Tag = Schemas['Tag'];
export type UserAccount = Schemas['UserAccount'];
export type UserAccountInput = Schemas['UserAccountInput'];
export type PublicKey = Schemas['PublicKey'];
export type Session = Schemas['Session'];
export type LoginReply = Schemas['LoginReply'];
export type OtpDelivery = Schemas['OtpDelivery'];

export interface BackendApiParts {
  readonly backend: Backend;
  /** Describes requests; each call passes the function that sends them. */
  readonly client: ReturnType<typeof createClient<paths>>;
  readonly baseUrl: string;
}
