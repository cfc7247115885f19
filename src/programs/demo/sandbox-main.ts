/** Command line of the simulated backends. */
import { onSupportedNode } from '../process/supported-node.js';

void onSupportedNode(async () => {
  const { runProgram } = await import('../process/run-program.js');
  const { runSandbox } = await import('./run-sandbox.js');
  await runProgram(runSandbox);
});
