import { appendFileSync } from 'node:fs';
import { Module, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/*
 * To be imported before a program: writes the URL of every module that its main thread loads, one a line, into the
 * file NOTED_MODULES. It is loaded a second time as the hooks themselves, which run in a thread of their own.
 */

let file = process.env['NOTED_MODULES'] ?? '';

if (isMainThread) {
  register(import.meta.url, { data: file });
  // The hooks do not see what CommonJS modules require.
  const load = Module._load;
  Module._load = function (request, parent, isMain) {
    appendFileSync(file, `${request}\n`);
    return load.call(this, request, parent, isMain);
  };
}

/** @param {string} data the file */
export function initialize(data) {
  file = data;
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, nextLoad) {
  appendFileSync(file, `${url}\n`);
  return nextLoad(url, context);
}
