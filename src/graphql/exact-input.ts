import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { findJsonFault } from '../jobs/body-faults.js';

/**
 * Refuses requests that hold text or numbers no backend can be given, in variables or anywhere else, before anything is
 * parsed or called: half of a surrogate pair, integers beyond 2⁵³. Literals cannot hold such text: it is no GraphQL
 * (section "String Value"). Their integers are 32 bits wide, or judged with the body of the job they start.
 */
export function exactInputOnly(): Plugin {
  return {
    onParams({ params, setResult }) {
      const fault = exactInputFault(params);
      if (fault !== undefined) setResult({ errors: [fault] });
    },
  };
}

/** What is wrong with the parameters of a request; undefined when all is well. */
export function exactInputFault(params: GraphQLParams): GraphQLError | undefined {
  const fault = findJsonFault(params);
  if (fault === undefined) return undefined;
  return new GraphQLError(`${fault.path} ${fault.message}.`, { extensions: { http: { status: 400 } } });
}
