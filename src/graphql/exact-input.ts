import { GraphQLError } from 'graphql';
import { findJsonFault } from '../jobs/body-faults.js';

/**
 * Finds text or numbers in variables and extensions that no backend can be given, before anything is called: half of a
 * surrogate pair, integers beyond 2⁵³. Literals cannot hold such text: it is no GraphQL (section "String Value"). Their
 * integers are 32 bits wide, or judged with the body of the job they start.
 */
export function exactInputFault(input: {
  readonly variables?: unknown;
  readonly extensions?: unknown;
}): GraphQLError | undefined {
  const fault = findJsonFault(input);
  if (fault === undefined) return undefined;
  return new GraphQLError(`${fault.path} ${fault.message}.`, { extensions: { http: { status: 400 } } });
}
