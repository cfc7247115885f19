/** Limits of a GraphQL server that a test creates by itself: those of production, but for the size of a body. */
export const OPERATION_LIMITS = {
  depth: 10,
  aliases: 15,
  rootFields: 10,
  directives: 50,
  jobStarts: 3,
  tokens: 1_000,
  graphqlBodyBytes: 10_000,
  bulkItems: 1_000,
  reportDrivers: 1_000,
};
