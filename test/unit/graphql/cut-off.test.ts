/** The end of an operation before its work is done. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createSchema } from 'graphql-yoga';
import { parse } from 'graphql';
import { CutOff, guardMutations } from '../../../src/gateway/graphql/cut-off.js';
import { createExecute } from '../../../src/gateway/graphql/execution/compiled-execution.js';
import { withTimeLimit } from '../../../src/gateway/graphql/execution/compiled-execution.js';
import { OPERATION_LIMITS } from '../../support/operation-limits.js';

const LIMIT_MS = 50;

/** A response as far as a cut-off reads it. */
function response(): EventEmitter & { closed: boolean; readonly writableFinished: boolean } {
  return Object.assign(new EventEmitter(), { closed: false, writableFinished: false });
}

const cutOffOf = (sent: object): CutOff => new CutOff(sent as ServerResponse); // the part that is read

const notStarted: unknown = expect.objectContaining({ reason: 'NotStarted' });

describe('a write that the reply must not miss', () => {
  it('is waited for at the end, and no longer than that may take', async () => {
    const cutOff = cutOffOf(response());
    let isWritten = false;
    const written = cutOff.commit(async () => {
      await delay(LIMIT_MS);
      isWritten = true;
    });
    await cutOff.end(60_000);
    expect(isWritten).toBe(true);
    await written;
    const hanging = cutOffOf(response());
    void hanging.commit(() => new Promise(() => undefined));
    await expect(hanging.end(1)).resolves.toBeUndefined();
  });

  it('that fails is waited for as well', async () => {
    const cutOff = cutOffOf(response());
    const failing = cutOff.commit(() => delay(1).then(() => Promise.reject(new Error('full'))));
    await Promise.all([expect(failing).rejects.toThrow('full'), expect(cutOff.end(60_000)).resolves.toBeUndefined()]);
  });
});

describe('a mutation whose job is being submitted at the time limit', () => {
  interface Context {
    readonly bodyBytes: number;
    readonly cutOff: CutOff;
  }

  const schema = createSchema<Context>({
    typeDefs: 'type Query { a: Int } type Mutation { start: Int later: Int }',
    resolvers: {
      Mutation: { start: (_root, _args, { cutOff }) => cutOff.commit(() => delay(4 * LIMIT_MS, 7)), later: () => 8 },
    },
  });
  guardMutations(schema);
  const run = withTimeLimit(createExecute(schema, OPERATION_LIMITS), LIMIT_MS);

  it.each([
    ['mutation { start }', { start: 7 }, []],
    ['mutation { start later }', { start: 7, later: null }, [[['later'], notStarted]]],
  ])('is answered with it, however often it has come: %s', async (query, expected, refused) => {
    const document = parse(query);
    const answers = Array.from({ length: 8 }, async () =>
      run({ schema, document, contextValue: { bodyBytes: 0, cutOff: cutOffOf(response()) } }),
    );
    for (const { data, errors = [] } of await Promise.all(answers)) {
      expect({ ...data }).toEqual(expected);
      expect(errors.map(({ path, originalError }) => [path, originalError])).toEqual(refused);
    }
  });
});
