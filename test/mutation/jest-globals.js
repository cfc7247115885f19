/** Stands in for `@jest/globals` where suites run without Jest: `describe`, `expect` and a fake clock. */
import { ModernFakeTimers } from '@jest/fake-timers';

export { jestExpect as expect } from '@jest/expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

/** Only the clock: no suite that runs here fakes anything else. */
export const jest = new ModernFakeTimers({
  config: { rootDir: process.cwd(), testMatch: [], fakeTimers: {} },
  global: globalThis,
});
