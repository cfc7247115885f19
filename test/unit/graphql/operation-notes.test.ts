import { expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { OperationNotes } from '../../../src/gateway/graphql/operation-notes.js';
import { memoryInUse } from '../../support/memory.js';

it('notes only the beginning of a name, because a hundred names stay in the metrics for ever', () => {
  const notes = new OperationNotes();
  notes.run({ document: parse(`query ${'Q'.repeat(1_000_000)} { serviceVersion }`), operationName: undefined });
  expect(notes.end(false).name).toBe('Q'.repeat(100));
  expect(notes.shared?.operation).toBe('Q'.repeat(100));
});

it('keeps nothing of a document for its name', () => {
  const nameOf = (number: number): string | undefined => {
    const notes = new OperationNotes();
    const padding = Buffer.alloc(1_000_000, 'x').toString();
    notes.run({ document: parse(`query QueryNumber${number} { serviceVersion } #${padding}`), operationName: null });
    return notes.end(false).name;
  };
  const before = memoryInUse().heapUsed;
  const names = Array.from({ length: 50 }, (_, number) => nameOf(number));
  expect(memoryInUse().heapUsed - before).toBeLessThan(10_000_000);
  expect(names.at(-1)).toBe('QueryNumber49');
});
