/** Compiled or not, an operation is answered as graphql-js answers it, and backends are asked the same. */
import { expect, it, jest } from '@jest/globals';
import {
  execute,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { GatewayError } from '../../src/base/errors.js';
import { shownErrors } from '../../src/gateway/graphql/error-mapping.js';
import { answerSoFar, createExecute, LARGE_BODY } from '../../src/gateway/graphql/execution/compiled-execution.js';
import { flatOperation } from '../../src/gateway/graphql/execution/compiled-subset.js';
import { findVariableFaults } from '../../src/gateway/graphql/execution/variable-faults.js';
import { OperationLog } from '../../src/gateway/graphql/operation-log.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { OPERATION_LIMITS } from '../support/operation-limits.js';
import { yieldToEventLoop } from '../../src/base/waits.js';
import { chooseSeed } from '../support/seed.js';
import {
  chanceFrom,
  createProbedSchema,
  OperationWriter,
  type GeneratedOperation,
  type ProbedContext,
} from './operations.js';

const RUNS = Number(process.env['EXECUTION_OPERATIONS'] ?? 500);
/** Times each is run; it is compiled when it comes for the sixth time. */
const TIMES = 10;
jest.setTimeout(3_600_000);

/** The response to a front end, as text, and the calls of resolvers, in any order. */
interface Answer {
  readonly heard: string;
  readonly asked: readonly string[];
}

interface Prepared extends GeneratedOperation {
  readonly parsed: DocumentNode;
  readonly seed: number;
  readonly failures: number;
}

const log = createLogger({ level: 'silent' });

function shown({ data, errors }: ExecutionResult): string {
  const context = { log, operationLog: new OperationLog(), cutOff: { isAbandoned: false } };
  const mapped = errors && shownErrors({ data, errors }, { privateSchema: false }, context);
  return JSON.stringify({ ...(mapped && { errors: mapped }), ...(data !== undefined && { data }) });
}

function contextOf(
  { seed, failures }: Prepared,
  bodyBytes: number,
): ProbedContext & { readonly bodyBytes: number; outcomes?: object } {
  return { seed, failures, asked: [], bodyBytes };
}

function argsOf(prepared: Prepared, schema: GraphQLSchema, contextValue: unknown) {
  const { parsed, operationName, variables } = prepared;
  return { schema, document: parsed, contextValue, operationName, variableValues: variables };
}

/** Errors of several fields come in the order in which they happen, which two runs need not have in common. */
async function plainly(schema: GraphQLSchema, prepared: Prepared): Promise<Answer> {
  const context = contextOf(prepared, 0);
  const args = { ...argsOf(prepared, schema, context), contextValue: context };
  const { document, operationName, variableValues: values = {} } = args;
  const operation = getOperationAST(document, operationName);
  // Faults of variables have texts of the gateway, exactly when graphql-js finds any.
  const fault = operation && findVariableFaults({ schema, document, operation, values }, OPERATION_LIMITS);
  const { errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], values);
  expect([prepared.seed, fault === undefined]).toEqual([prepared.seed, errors === undefined]);
  const result = fault ? { errors: [fault] } : await execute(args);
  return { heard: shown(result), asked: context.asked.toSorted() };
}

function isCompiled(schema: GraphQLSchema, { parsed, operationName }: Prepared): boolean {
  const operation = getOperationAST(parsed, operationName);
  return operation != null && flatOperation(schema, parsed, operation) !== undefined;
}

function prepare(schema: GraphQLSchema, seed: number): Prepared | undefined {
  const chance = chanceFrom(seed);
  const operation = new OperationWriter(schema, chance).write();
  const parsed = parse(operation.document);
  if (validate(schema, parsed).length > 0) return undefined;
  return { ...operation, parsed, seed, failures: chance.of([0, 0, 0.1, 0.4]) };
}

it('an operation is answered as graphql-js answers it, however often it comes and however large its body is', async () => {
  const plain = createProbedSchema();
  const schema = createProbedSchema();
  const run = createExecute(schema, OPERATION_LIMITS);
  const seed = chooseSeed('execution');
  const differences: object[] = [];
  let [operations, compiled, invalid] = [0, 0, 0];
  for (let at = 0; operations < RUNS; at += 1) {
    const prepared = prepare(plain, seed + at);
    if (prepared === undefined) {
      invalid += 1;
      continue;
    }
    operations += 1;
    const expected = await plainly(plain, prepared);
    if (isCompiled(schema, prepared)) compiled += 1;
    const bodyBytes = at % 3 === 0 ? LARGE_BODY + 1 : 100;
    for (let time = 1; time <= TIMES; time += 1) {
      const context = contextOf(prepared, bodyBytes);
      const result = await run(argsOf(prepared, schema, context) as never);
      const answer: Answer = { heard: shown(result), asked: context.asked.toSorted() };
      if (answer.heard === expected.heard && answer.asked.join() === expected.asked.join()) continue;
      const { document, variables } = prepared;
      differences.push({ seed: seed + at, time, bodyBytes, document, variables, expected, answer });
      break;
    }
  }
  process.stderr.write(`execution: ${operations} operations, ${compiled} compiled, ${differences.length} differ\n`);
  expect(differences.slice(0, 3)).toEqual([]);
  expect(differences).toHaveLength(0);
  // It would say little about the others.
  expect(compiled).toBeGreaterThan(operations / 5);
  expect(invalid).toBeLessThan(operations);
});

const HUNG = new Error('This does not end.');
const CUT = new GatewayError('OperationTimeout', { seconds: 1 });

/** An answer to an operation that is cut short: its data, and the root fields that had not ended. */
interface Part {
  readonly data: unknown;
  readonly cut: readonly string[];
  /** Paths of other errors. */
  readonly refused: readonly string[];
  /** Calls of resolvers from the cut on. */
  readonly late: number;
}

function pathsOf(errors: readonly GraphQLError[]): readonly string[] {
  return errors.map(({ path = [] }) => path.join('.')).toSorted();
}

/** Root fields below which something hangs have not ended; neither have those of a mutation that come later. */
async function partPlainly(schema: GraphQLSchema, prepared: Prepared): Promise<Part | undefined> {
  const hang = (): never => {
    throw HUNG;
  };
  const context = { ...contextOf(prepared, 0), hang };
  const { data, errors = [] } = await execute({ ...argsOf(prepared, schema, context), contextValue: context });
  const hanging = new Set(errors.filter(({ originalError }) => originalError === HUNG).map(({ path }) => path?.[0]));
  if (!data || hanging.size === 0) return undefined;
  const keys = Object.keys(data);
  const isMutation = getOperationAST(prepared.parsed, prepared.operationName)?.operation === OperationTypeNode.MUTATION;
  const first = keys.findIndex((key) => hanging.has(key));
  // The name of the type and a refusal of arguments need no resolver, so they are there although it never began.
  const refusedAtOnce = errors.filter(({ originalError, path = [] }) => originalError !== HUNG && path.length === 1);
  const ended = new Set(refusedAtOnce.map(({ path }) => path?.[0]));
  for (const key of keys) if (data[key] === schema.getMutationType()?.name) ended.add(key);
  const cut = keys.filter((key, at) => (isMutation ? at >= first && !ended.has(key) : hanging.has(key)));
  const refused = pathsOf(errors.filter(({ path = [] }) => !cut.includes(String(path[0]))));
  const nulls = Object.fromEntries(cut.map((key) => [key, null]));
  return { data: { ...data, ...nulls }, cut: cut.toSorted(), refused, late: 0 };
}

it('an operation that is cut short keeps the root fields that have ended, compiled or not, and calls nothing more', async () => {
  const plain = createProbedSchema();
  const schema = createProbedSchema();
  const run = createExecute(schema, OPERATION_LIMITS);
  const seed = chooseSeed('execution');
  let [operations, compiled, partial] = [0, 0, 0];
  for (let at = 0; operations < RUNS / 4; at += 1) {
    const prepared = prepare(plain, seed + at);
    // Root fields of the gateway are nullable, and only a failure ends a field while something below it hangs.
    if (prepared === undefined || prepared.failures > 0 || prepared.document.includes('certain')) continue;
    const expected = await partPlainly(plain, prepared);
    if (expected === undefined) continue;
    operations += 1;
    if (isCompiled(schema, prepared)) compiled += 1;
    if (Object.keys(expected.data as object).length > expected.cut.length) partial += 1;
    for (let time = 1; time <= TIMES; time += 1) {
      const context = {
        ...contextOf(prepared, time === 1 ? LARGE_BODY + 1 : 100),
        hang: () => new Promise(() => undefined),
      };
      const args = argsOf(prepared, schema, context) as never;
      void run(args);
      // All has ended that ends.
      for (let turn = 0; turn < 4; turn += 1) await yieldToEventLoop();
      const asked = context.asked.length;
      const { data, errors = [] } = await answerSoFar(args, () => CUT);
      const cut = pathsOf(errors.filter(({ originalError }) => originalError === CUT));
      const refused = pathsOf(errors.filter(({ originalError }) => originalError !== CUT));
      const late = context.asked.length - asked;
      expect({ seed: seed + at, time, data, cut, refused, late }).toEqual({ seed: seed + at, time, ...expected });
    }
  }
  expect(Math.min(compiled, partial)).toBeGreaterThan(operations / 20);
});
