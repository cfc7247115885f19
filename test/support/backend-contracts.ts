import { afterAll, afterEach } from '@jest/globals';
import { JournalWriter } from '../../src/sandbox/journal.js';

/** Requests to sandboxes of this suite that an OpenAPI file does not allow. */
const breaches: string[] = [];
let areMeant = false;
/** Ways back for classes that outlive this suite. */
const undo = new Map<JournalWriter, () => void>();

/** Notes every breach in the journals of a class: every request to a sandbox goes through one, and no test clears it. */
export function noteBreaches(writer: JournalWriter): void {
  if (undo.has(writer)) return;
  // oxlint-disable-next-line typescript/unbound-method -- called with the journal it was taken from, below
  const { receive } = writer;
  writer.receive = function noted(this: JournalWriter, request) {
    if (request.contractViolation !== undefined) breaches.push(`${request.method} ${request.contractViolation}`);
    return receive.call(this, request);
  };
  undo.set(writer, () => (writer.receive = receive));
}
noteBreaches(JournalWriter.prototype);
afterAll(() => {
  for (const each of undo.values()) each();
});

// Nothing that our own OpenAPI files forbid is ever sent to a backend, whatever a test is about.
afterEach(() => {
  const found = breaches.splice(0);
  if (found.length > 0 && !areMeant) throw new Error(`A backend's contract was broken:\n${found.join('\n')}`);
});

/** For suites that send wrong requests to a sandbox by themselves, to see what it makes of them. */
export function breachesAreMeant(): void {
  areMeant = true;
}
