import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { startTestGateway, type TestGateway } from './gateway.js';

type Environment = NonNullable<Parameters<typeof startTestGateway>[0]>;

type Closing = () => unknown;

/** How all that is open is closed; the last that was opened stands last. */
const open: Closing[] = [];

/** How many were open when the test began. */
let belowTest = 0;
beforeEach(() => {
  belowTest = open.length;
});
afterEach(() => closeDownTo(belowTest));

async function closeDownTo(length: number): Promise<void> {
  const errors: unknown[] = [];
  for (const close of open.splice(length).reverse()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  // One is as good as all: the first names the cause.
  if (errors.length > 0) throw errors[0];
}

/** Methods with which resources end, the first that there is being the one. */
const ENDS = ['close', 'stop', 'disconnect', 'destroy'] as const;

function closeItself(resource: Partial<Record<(typeof ENDS)[number], unknown>>): unknown {
  const close = ENDS.map((name) => resource[name]).find((method) => typeof method === 'function');
  return close && (Reflect.apply(close, resource, []) as unknown);
}

/** Stands for what is opened later, and is all that it is once it is open. */
class Standin<T extends object> {
  #opened: T | undefined;

  set(opened: T): void {
    this.#opened = opened;
  }

  clear(): void {
    this.#opened = undefined;
  }

  get #resource(): T {
    if (this.#opened === undefined) throw new Error('It is used before it is opened, or after it was closed.');
    return this.#opened;
  }

  /** The same as what is opened. Its methods are bound to it, because those of a class may use private fields. */
  readonly shown = new Proxy({} as T, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(this.#resource, name);
      return typeof value === 'function' ? (value.bind(this.#resource) as unknown) : value;
    },
    has: (_target, name) => Reflect.has(this.#resource, name),
    ownKeys: () => Reflect.ownKeys(this.#resource),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(this.#resource, name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

type Hook = (hook: () => Promise<void>, timeoutMs: number) => void;

/** Servers and programs take their time on a busy machine. */
const IN_TIME_MS = 600_000;

function between<T extends object>(
  before: Hook,
  after: Hook,
  start: () => T | Promise<T>,
  close: (opened: T) => unknown,
): T {
  const standin = new Standin<T>();
  let below = 0;
  before(async () => {
    below = open.length;
    const opened = await start();
    standin.set(opened);
    open.push(() => close(opened));
  }, IN_TIME_MS);
  // Jest runs these in the order in which they are written; what was opened last has to be closed first.
  after(async () => {
    await closeDownTo(below);
    standin.clear();
  }, IN_TIME_MS);
  return standin.shown;
}

/**
 * Opens something before the tests of the file or `describe` that it stands in, and closes it after them: what was
 * opened last is closed first.
 * @param start opens it; it may use what was opened before
 * @param close by default with its `close`, `stop`, `disconnect` or `destroy`, when it has one
 */
export function forAllTests<T extends object>(start: () => T | Promise<T>, close: (it: T) => unknown = closeItself): T {
  return between(beforeAll, afterAll, start, close);
}

/** Opens something before each test, and closes it after the test, as `forAllTests` does for all of them. */
export function forEachTest<T extends object>(start: () => T | Promise<T>, close: (it: T) => unknown = closeItself): T {
  return between(beforeEach, afterEach, start, close);
}

/** Has what a test opened closed after it, before all that was opened earlier. @returns what is given */
export function closeAfterTest<T extends object>(opened: T, close: (it: T) => unknown = closeItself): T {
  open.push(() => close(opened));
  return opened;
}

/**
 * Starts a gateway for all tests of a file or `describe`. Between them its backends forget their faults and what they
 * wrote down.
 */
export function gatewayForAllTests(environment: Environment = {}): TestGateway {
  const gateway = forAllTests(() => startTestGateway(environment));
  afterEach(() => {
    gateway.sandbox.faults.clear();
    gateway.sandbox.journal.clear();
  });
  return gateway;
}

/** Sets variables of the environment of this process, where libraries look for them, until it is closed. */
export function processVariables(variables: Readonly<Record<string, string>>): { readonly close: () => void } {
  Object.assign(process.env, variables);
  return {
    close: () => {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
    },
  };
}

/** Makes a directory for temporary files, to be opened by `forAllTests` or `forEachTest`. */
export async function temporaryDirectory(): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  const made = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  return { path: made, close: () => rm(made, { recursive: true, force: true }) };
}
