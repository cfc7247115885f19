/** Command line for operators of jobs and dead letters. */
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runCommand } = await import('./process/run-command.js');
  const { runJobsProgram } = await import('./jobs-cli/program.js');
  await runCommand(runJobsProgram);
});
