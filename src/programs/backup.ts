/** Command line that copies a data directory while a gateway uses it. */
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runCommand } = await import('./process/run-command.js');
  const { runBackup } = await import('./backup/program.js');
  await runCommand(runBackup);
});
