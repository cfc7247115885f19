// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
import type { ContractOperation } from '../../src/sandbox/openapi-contract.js';

export const operations: readonly ContractOperation[];
