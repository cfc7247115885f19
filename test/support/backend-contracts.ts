import { afterEach } from '@jest/globals';
import { JournalWriter } from '../../src/sandbox/journal.js';

/** Requests to sandboxes of this suite that an OpenAPI file does not allow. */
const breaches: string[] = [];
let areMeant = false;

// Every request to any sandbox goes through it, and no test can clear what is noted here.
// oxlint-disable-next-line typescript/unbound-method -- called with the journal it was taken from, below
const receive = JournalWriter.prototype.receive;
JournalWriter.prototype.receive = function noted(this: JournalWriter, request) {
  if (request.contractViolation !== undefined) breaches.push(`${request.method} ${request.contractViolation}`);
  return receive.call(this, request);
};

// Nothing that our own OpenAPI files forbid is ever sent to a backend, whatever a test is about.
afterEach(() => {
  const found = breaches.splice(0);
  if (found.length > 0 && !areMeant) throw new Error(`A backend's contract was broken:\n${found.join('\n')}`);
});

/** For suites that send wrong requests to a sandbox by themselves, to see what it makes of them. */
export function breachesAreMeant(): void {
  areMeant = true;
}
