import { runClosed } from './load-closed.js';
import { runOpen } from './load-open.js';
import type { ClosedLoad, OpenLoad } from './load-protocol.js';

/** The load in a process of its own that stays warm: told what to do over IPC, it answers with what it saw. */
process.on('message', (load: ClosedLoad | OpenLoad) => {
  (load.kind === 'closed' ? runClosed(load) : runOpen(load)).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
// Whoever started it is gone: connections that are still open must not keep it alive.
process.on('disconnect', () => process.exit());
