import { expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { OperationLog } from '../../../src/gateway/graphql/operation-log.js';
import { memoryInUse } from '../../support/memory.js';

it('notes only the beginning of a name, because a hundred names stay in the metrics for ever', () => {
  const operationLog = new OperationLog();
  operationLog.run({ document: parse(`query ${'Q'.repeat(1_000_000)} { serviceVersion }`), operationName: undefined });
  expect(operationLog.end(false).name).toBe('Q'.repeat(100));
  expect(operationLog.shared?.operation).toBe('Q'.repeat(100));
});

it('keeps nothing of a document for its name', () => {
  const nameOf = (number: number): string | undefined => {
    const operationLog = new OperationLog();
    const padding = Buffer.alloc(1_000_000, 'x').toString();
    operationLog.run({
      document: parse(`query QueryNumber${number} { serviceVersion } #${padding}`),
      operationName: null,
    });
    return operationLog.end(false).name;
  };
  const before = memoryInUse().heapUsed;
  const names = Array.from({ length: 50 }, (_, number) => nameOf(number));
  expect(memoryInUse().heapUsed - before).toBeLessThan(10_000_000);
  expect(names.at(-1)).toBe('QueryNumber49');
});
