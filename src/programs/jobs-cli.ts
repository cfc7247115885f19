/** Command line for operators of jobs and dead letters. */
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runProgram } = await import('./process/run-program.js');
  const { runJobsProgram } = await import('./jobs-cli/program.js');
  await runProgram(runJobsProgram);
});
