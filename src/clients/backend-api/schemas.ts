import type { components } from '../../../generated/backend-api.js';

type Schemas = components['schemas'];
export type Mobile = Schemas['Mobile'];
export type Position = Schemas['Position'];
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
