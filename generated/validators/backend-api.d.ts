// Generated from ./openapi/backend-api.yaml; run `npm run codegen` instead of editing.
import type { ValidateFunction } from 'ajv';
import type { components } from '../backend-api.js';

export const CreatedUserAccount: ValidateFunction<components['schemas']['CreatedUserAccount']>;
export const DrivingRecord: ValidateFunction<components['schemas']['DrivingRecord']>;
export const Failure: ValidateFunction<components['schemas']['Failure']>;
export const Fix: ValidateFunction<components['schemas']['Fix']>;
export const LoginReply: ValidateFunction<components['schemas']['LoginReply']>;
export const LoginRequest: ValidateFunction<components['schemas']['LoginRequest']>;
export const Mobile: ValidateFunction<components['schemas']['Mobile']>;
export const MobileIds: ValidateFunction<components['schemas']['MobileIds']>;
export const MobilePage: ValidateFunction<components['schemas']['MobilePage']>;
export const MobilePatch: ValidateFunction<components['schemas']['MobilePatch']>;
export const OtpDelivery: ValidateFunction<components['schemas']['OtpDelivery']>;
export const OtpRequest: ValidateFunction<components['schemas']['OtpRequest']>;
export const OtpVerification: ValidateFunction<components['schemas']['OtpVerification']>;
export const Position: ValidateFunction<components['schemas']['Position']>;
export const PublicKey: ValidateFunction<components['schemas']['PublicKey']>;
export const PublicKeys: ValidateFunction<components['schemas']['PublicKeys']>;
export const RefreshRequest: ValidateFunction<components['schemas']['RefreshRequest']>;
export const Session: ValidateFunction<components['schemas']['Session']>;
export const Tag: ValidateFunction<components['schemas']['Tag']>;
export const Tags: ValidateFunction<components['schemas']['Tags']>;
export const TrackPoint: ValidateFunction<components['schemas']['TrackPoint']>;
export const Trip: ValidateFunction<components['schemas']['Trip']>;
export const UserAccount: ValidateFunction<components['schemas']['UserAccount']>;
export const UserAccountInput: ValidateFunction<components['schemas']['UserAccountInput']>;
export const UserAccountPage: ValidateFunction<components['schemas']['UserAccountPage']>;
