/** The demo as a program. */
import { runCommand } from '../process/run-command.js';
import { runDemo } from './run-demo.js';

await runCommand(async (context) => ((await runDemo(context)) ? 0 : 1));
