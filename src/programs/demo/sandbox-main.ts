/** Command line of the simulated backends. */
import { onSupportedNode } from '../process/supported-node.js';

void onSupportedNode(async () => {
  const { runCommand } = await import('../process/run-command.js');
  const { runSandbox } = await import('./run-sandbox.js');
  await runCommand(runSandbox);
});
