// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
import type { ValidateFunction } from 'ajv';
import type { components } from '../voip-api.js';

export const Failure: ValidateFunction<components['schemas']['Failure']>;
export const Presence: ValidateFunction<components['schemas']['Presence']>;
export const Presences: ValidateFunction<components['schemas']['Presences']>;
