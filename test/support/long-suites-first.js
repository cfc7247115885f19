import Sequencer from '@jest/test-sequencer';
import path from 'node:path';

/** Suites of single parts, which take a second where others take half a minute; drawing reports is not like them. */
const SHORT = /^(unit|property)\/(?!reports\/|capacity)/;

/**
 * Begins with long suites, so that in the end no processor waits for the last of them. Where suites have run before,
 * Jest knows how long each took; a fresh checkout it would begin with the largest files.
 */
export default class LongSuitesFirst extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return [...sorted.filter((test) => !isShort(test)), ...sorted.filter(isShort)];
  }
}

/** @param {import('@jest/test-result').Test} test */
function isShort({ context, path: file }) {
  return SHORT.test(path.relative(path.join(context.config.rootDir, 'test'), file));
}
