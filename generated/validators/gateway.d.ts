// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
import type { ValidateFunction } from 'ajv';
import type { components } from '../gateway.js';

export const BadInput: ValidateFunction<components['schemas']['BadInput']>;
export const BulkMobileReply: ValidateFunction<components['schemas']['BulkMobileReply']>;
export const BulkMobileRequest: ValidateFunction<components['schemas']['BulkMobileRequest']>;
export const BulkUserAccountReply: ValidateFunction<components['schemas']['BulkUserAccountReply']>;
export const BulkUserAccountRequest: ValidateFunction<components['schemas']['BulkUserAccountRequest']>;
export const DependencyStatus: ValidateFunction<components['schemas']['DependencyStatus']>;
export const Driver: ValidateFunction<components['schemas']['Driver']>;
export const DriverError: ValidateFunction<components['schemas']['DriverError']>;
export const DrivingReportReply: ValidateFunction<components['schemas']['DrivingReportReply']>;
export const DrivingReportRequest: ValidateFunction<components['schemas']['DrivingReportRequest']>;
export const Failure: ValidateFunction<components['schemas']['Failure']>;
export const FilterEntries: ValidateFunction<components['schemas']['FilterEntries']>;
export const Identifier: ValidateFunction<components['schemas']['Identifier']>;
export const JobId: ValidateFunction<components['schemas']['JobId']>;
export const Jwk: ValidateFunction<components['schemas']['Jwk']>;
export const Jwks: ValidateFunction<components['schemas']['Jwks']>;
export const Liveness: ValidateFunction<components['schemas']['Liveness']>;
export const MobileUpdate: ValidateFunction<components['schemas']['MobileUpdate']>;
export const OrgId: ValidateFunction<components['schemas']['OrgId']>;
export const QueuedAt: ValidateFunction<components['schemas']['QueuedAt']>;
export const Readiness: ValidateFunction<components['schemas']['Readiness']>;
export const ReportDate: ValidateFunction<components['schemas']['ReportDate']>;
export const Text: ValidateFunction<components['schemas']['Text']>;
export const UserAccountInput: ValidateFunction<components['schemas']['UserAccountInput']>;
export const UserAccountOperation: ValidateFunction<components['schemas']['UserAccountOperation']>;
