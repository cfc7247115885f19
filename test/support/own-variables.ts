import { runInThisContext } from 'node:vm';
import { afterAll } from '@jest/globals';

/** The process of the worker. A suite has one of its own, whose variables the product would not see. */
const outer = runInThisContext('process') as NodeJS.Process;
const { env } = outer;
outer.env = process.env;
afterAll(() => {
  outer.env = env;
});
