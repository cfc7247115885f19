/** Command line of the demo. */
import { EXIT, onSupportedNode } from '../process/supported-node.js';

const HELP = `Shows what the gateway is for: logs in, lists mobiles, orders a report, saves
the PDF, and runs two bulk jobs, which undo what they do.

Usage: npm run demo

Options:
  --help      this text
  --version   the version

It starts a gateway of its own, with simulated backends; with GATEWAY_URL set it
uses that one, and LOGIN_ID and PASSWORD name an administrator there.

Exit codes: 0 every step was right; 1 one was not; 64 wrong usage.`;

void onSupportedNode(async () => {
  const { runProgram } = await import('../process/run-program.js');
  const { runWithArguments } = await import('../process/read-arguments.js');
  await runProgram((context) =>
    runWithArguments(context, { help: HELP }, {}, async () => {
      const { runDemo } = await import('./run-demo.js');
      return (await runDemo(context)) ? EXIT.done : EXIT.failed;
    }),
  );
});
