import { afterEach } from '@jest/globals';
import { breaches } from './test-sandbox.js';

let areMeant = false;

// Nothing that our own OpenAPI files forbid is ever sent to a backend, whatever a test is about.
afterEach(() => {
  const found = breaches.splice(0);
  if (found.length > 0 && !areMeant) throw new Error(`A backend's contract was broken:\n${found.join('\n')}`);
});

/** For suites that send wrong requests to a sandbox by themselves, to see what it makes of them. */
export function breachesAreMeant(): void {
  areMeant = true;
}
