import { runClosed } from './load-closed.js';
import { runOpen } from './load-open.js';
import type { ClosedLoad, OpenLoad } from './load-protocol.js';

let isRunning = false;

/** The load in a process of its own that stays warm: told what to do over IPC, it answers with what it saw. */
process.on('message', (load: ClosedLoad | OpenLoad) => {
  isRunning = true;
  stayAwake();
  (load.kind === 'closed' ? runClosed(load) : runOpen(load))
    .finally(() => (isRunning = false))
    .then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
});

/**
 * A process that sleeps is woken by whoever writes to it, at the cost of some microseconds of every reply. The load of a
 * fast server never comes to sleep; nor does that of a slow one, which would pay for it beside its own work.
 */
function stayAwake(): void {
  if (isRunning) setImmediate(stayAwake);
}

// Whoever started it is gone: connections that are still open must not keep it alive.
process.on('disconnect', () => process.exit());
