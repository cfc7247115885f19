import { expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { OperationNotes } from '../../../src/graphql/operation-notes.js';

it('notes only the beginning of a name, because a hundred names stay in the metrics for ever', () => {
  const notes = new OperationNotes();
  notes.run({ document: parse(`query ${'Q'.repeat(1_000_000)} { serviceVersion }`), operationName: undefined });
  expect(notes.end(false).name).toBe('Q'.repeat(100));
  expect(notes.shared?.operation).toBe('Q'.repeat(100));
});
