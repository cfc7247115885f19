/**
 * Test runner for Stryker that loads suites once and runs them again and again in one process, with Jest's own circus. A
 * mutant is switched on by a variable, so nothing has to be loaded anew for it: it takes milliseconds instead of the
 * seconds that a run of Jest takes.
 */
import { register } from 'node:module';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { ignoredTexts } from './ignored-texts.js';

/** A test may take long on a busy machine; with a mutant, one that hangs is one that fails. */
const MAX_TEST_MS = 240_000;
const MAX_TEST_WITH_MUTANT_MS = 8_000;

/** Between the file of a test and its name. */
const SEPARATOR = ' > ';

/** The object that instrumented code reads and writes (Stryker, "instrumenter"). */
const instrumented = (globalThis.__stryker__ ??= {});

class InProcessRunner {
  static inject = [];

  /** The suite of each file, by its path from the root of the project. */
  #suites = new Map();
  /** How long a file takes when nothing is broken, in milliseconds. */
  #costs = new Map();
  #circus;
  /** Errors that were not caught; those of a mutant must not end the process. */
  #uncaught = [];

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    register('./module-hooks.js', import.meta.url);
    this.#circus = await import('jest-circus');
    this.#circus.addEventHandler((event) => {
      if (event.name === 'test_start') instrumented.currentTestId = event.test.id;
      if (event.name === 'test_done') delete instrumented.currentTestId;
    });
    process.on('uncaughtException', (error) => this.#uncaught.push(error));
    process.on('unhandledRejection', (error) => this.#uncaught.push(error));
    await import(pathToFileURL(resolve('test/support/loopback-only.ts')).href);
  }

  async dryRun({ testFiles }) {
    const files = testFiles.map((file) => relative(process.cwd(), file));
    const tests = [];
    for (const file of files) {
      await this.#load(file);
      const own = await this.#run(file, () => true);
      const cost = own.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
      this.#costs.set(file, cost);
      tests.push(...own);
    }
    const { mutantCoverage } = instrumented;
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit, mutantActivation }) {
    if (mutantActivation === 'static') instrumented.activeMutant = activeMutant.id;
    const named = new Set(testFilter.map((id) => id.split(SEPARATOR, 1)[0]));
    // Most mutants are noticed by the first suite: the quick ones come first.
    const files = [...named].sort((one, other) => (this.#costs.get(one) ?? 0) - (this.#costs.get(other) ?? 0));
    for (const file of files) await this.#load(file);
    instrumented.activeMutant = activeMutant.id;
    instrumented.hitLimit = hitLimit;
    instrumented.hitCount = hitLimit === undefined ? undefined : 0;
    try {
      const selected = new Set(testFilter);
      const tests = [];
      for (const file of files) {
        tests.push(...(await this.#run(file, (id) => selected.has(id), !disableBail)));
        if (!disableBail && tests.some(({ status }) => status === TestStatus.Failed)) break;
      }
      const outcome = determineHitLimitReached(instrumented.hitCount, hitLimit) ?? {
        status: DryRunStatus.Complete,
        tests,
      };
      return toMutantRunResult(outcome, disableBail);
    } finally {
      delete instrumented.activeMutant;
      delete instrumented.hitLimit;
      delete instrumented.hitCount;
    }
  }

  async #load(file) {
    if (this.#suites.has(file)) return;
    this.#circus.resetState();
    await import(pathToFileURL(resolve(file)).href);
    const state = this.#circus.getState();
    const tests = [...testsIn(state.rootDescribeBlock)];
    for (const test of tests) test.id = `${file}${SEPARATOR}${nameOf(test)}`;
    this.#suites.set(file, { state, tests });
  }

  /** Runs the tests of a file that are wanted. @param bails whether the first failure ends it */
  async #run(file, isWanted, bails = false) {
    const { state, tests } = this.#suites.get(file);
    const wanted = tests.filter(({ id }) => isWanted(id));
    for (const test of tests) {
      Object.assign(test, { errors: [], status: null, mode: wanted.includes(test) ? undefined : 'skip' });
    }
    state.testTimeout = instrumented.activeMutant === undefined ? MAX_TEST_MS : MAX_TEST_WITH_MUTANT_MS;
    state.unhandledErrors.length = 0;
    this.#uncaught.length = 0;
    this.#circus.setState(state);
    const bail = ({ name, test }) => {
      if (name === 'test_done' && test.errors.length > 0) for (const each of tests) each.mode = 'skip';
    };
    if (bails) this.#circus.addEventHandler(bail);
    await this.#circus.run();
    if (bails) this.#circus.removeEventHandler(bail);

    const results = wanted.filter(({ status }) => status === 'done').map((test) => resultOf(file, test, test.errors));
    const others = [...state.unhandledErrors, ...this.#uncaught];
    // Their tests are unknown; one of these has failed.
    if (others.length > 0 && results.length > 0) return [...results.slice(1), resultOf(file, wanted[0], others)];
    return results;
  }
}

function* testsIn(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsIn(child);
  }
}

function nameOf({ name, parent }) {
  return parent.parent === undefined ? name : `${nameOf(parent)} ${name}`;
}

function resultOf(fileName, { id, duration }, errors) {
  const result = { id, name: id, fileName: resolve(fileName), timeSpentMs: duration ?? 0 };
  if (errors.length === 0) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: errors.map(describe).join('\n') };
}

/** Circus keeps an error with the place where its test stands. */
function describe(error) {
  const [own] = Array.isArray(error) ? error : [error];
  return own?.message ?? String(own);
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner),
  declareValuePlugin(PluginKind.Ignore, 'texts', ignoredTexts),
];
