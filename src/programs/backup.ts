/** Command line that copies a data directory while a gateway uses it. */
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runProgram } = await import('./process/run-program.js');
  const { runBackup } = await import('./run-backup.js');
  await runProgram(runBackup);
});
