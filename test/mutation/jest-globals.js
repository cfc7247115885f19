/** What suites import from `@jest/globals`, without Jest around them: its own describing, expecting and fake clock. */
import { ModernFakeTimers } from '@jest/fake-timers';

export { jestExpect as expect } from '@jest/expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

/** Only the clock: no suite that runs here fakes anything else. */
export const jest = new ModernFakeTimers({
  config: { rootDir: process.cwd(), testMatch: [], fakeTimers: {} },
  global: globalThis,
});
