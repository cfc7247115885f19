// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
import type { ValidateFunction } from 'ajv';
import type { components } from '../geo-api.js';

export const Address: ValidateFunction<components['schemas']['Address']>;
export const Addresses: ValidateFunction<components['schemas']['Addresses']>;
export const Failure: ValidateFunction<components['schemas']['Failure']>;
export const Point: ValidateFunction<components['schemas']['Point']>;
export const Points: ValidateFunction<components['schemas']['Points']>;
