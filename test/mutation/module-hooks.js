/** Module hooks (Node.js, `module.register`): suites get what {@link ./jest-globals.js} has in place of `@jest/globals`. */
import { URL } from 'node:url';

const GLOBALS = new URL('./jest-globals.js', import.meta.url).href;

export function resolve(specifier, context, next) {
  return specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context);
}
