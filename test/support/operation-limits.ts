import { loadConfig } from '../../src/base/config/load-config.js';

/** Limits of a GraphQL server that a test creates by itself: the defaults, but for the size of a body and of a report. */
export const OPERATION_LIMITS = { ...loadConfig({}).limits, graphqlMaxBodyBytes: 10_000, reportMaxDrivers: 1_000 };
