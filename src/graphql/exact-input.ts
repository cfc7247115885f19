import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { findJsonFault } from '../jobs/body-faults.js';

/**
 * Refuses requests that hold text or numbers no backend can be given, in variables or anywhere else, before anything is
 * parsed or called: half of a surrogate pair, integers beyond 2⁵³. Literals cannot hold such text: it is no GraphQL
 * (section "String Value"). Their integers are 32 bits wide, or judged with the body of the job they start.
 */
export function exactInputOnly(): Plugin {
  return {
    onParams({ params, setResult }) {
      const fault = findJsonFault(params);
      if (fault === undefined) return;
      const message = `${fault.path} ${fault.message}.`;
      setResult({ errors: [new GraphQLError(message, { extensions: { http: { status: 400 } } })] });
    },
  };
}
