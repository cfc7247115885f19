import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CALLBACK_PATHS, JOB_KINDS, type JobKind } from '../../src/jobs/record/job-kinds.js';

/** A callback, as `openapi/gateway.yaml` describes it. */
export interface Callback {
  readonly kind: JobKind;
  readonly path: string;
  /** Its purpose in a few words. */
  readonly summary: string;
  /** A body that the sandbox can serve. */
  readonly example: object;
  /** The least body that can be used: it holds no item. */
  readonly empty: object;
}

/** Every callback there is. */
export const CALLBACKS: readonly Callback[] = readCallbacks();

/** The path of every callback. */
export const CALLBACK_ROUTES: readonly string[] = CALLBACKS.map(({ path }) => path);

function readCallbacks(): Callback[] {
  const file = new URL('../../openapi/gateway.yaml', import.meta.url);
  const { paths } = parse(readFileSync(file, 'utf8')) as {
    paths: Record<
      string,
      { post: { summary: string; requestBody: { content: { 'application/json': { example?: object } } } } }
    >;
  }; // what callbacks look like there
  return JOB_KINDS.map((kind) => {
    const path = CALLBACK_PATHS[kind];
    const { summary = '', requestBody } = paths[path]?.post ?? {};
    const example = requestBody?.content['application/json'].example;
    if (example === undefined) throw new Error(`${path} has no example of its body in openapi/gateway.yaml.`);
    return { kind, path, summary, example, empty: emptied(example) };
  });
}

function emptied(body: object): object {
  if (Array.isArray(body)) return [];
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? [] : value]));
}
