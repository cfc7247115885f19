import { describe, expect, it } from '@jest/globals';
import { createSchema, type Plugin } from 'graphql-yoga';
import { createPipeline } from '../../../src/graphql/pipeline.js';
import { ONE_FIELD } from '../../support/one-field.js';
import { OPERATION_LIMITS } from '../../support/operation-limits.js';

function pipelineOf() {
  return createPipeline({
    schema: createSchema({ typeDefs: ONE_FIELD }),
    authenticate: () => Promise.reject(new Error('Nobody is asked who they are.')),
    endpoint: '/graphql',
    limits: OPERATION_LIMITS,
    timeoutMs: 60_000,
    privateSchema: true,
    findDocument: (params) => params,
  });
}

describe('the execution that the direct door calls by itself', () => {
  it('is the one that envelop would come to, and no plugin wants to hear of it', () => {
    const { execute, yoga } = pipelineOf();
    const { plugins } = yoga as unknown as { readonly plugins: readonly Plugin[] }; // Yoga keeps its list to itself
    const chosen: unknown[] = [];
    const heard = plugins.map(({ onExecute }) =>
      onExecute?.({
        setExecuteFn: (by: unknown) => chosen.push(by),
        setResultAndStopExecution: (result: unknown) => chosen.push(result),
        extendContext: (more: unknown) => chosen.push(more),
        executeFn: execute,
        context: {},
        args: {},
      } as unknown as Parameters<typeof onExecute>[0]),
    );
    expect(chosen.at(-1)).toBe(execute);
    // Yoga's engine comes first, and ours replaces what it chose.
    expect(chosen).toHaveLength(2);
    expect(heard.filter((hooks) => hooks !== undefined)).toEqual([]);
  });
});
