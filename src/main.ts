/** The gateway process. */
import type { Gateway } from './app.js';
import type { Config } from './config/config.js';
import type { ProcessContext, RunningProgram } from './process/run-program.js';
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runProgram } = await import('./process/run-program.js');
  await runProgram('gateway', start, async (config) => {
    const { findFileFaults, findKeyFaults } = await import('./app.js');
    return [...(await findFileFaults(config)), ...(await findKeyFaults(config))];
  });
});

async function start({ config, logger, version, commit, print }: ProcessContext): Promise<RunningProgram> {
  const { createGateway, servesPlayground } = await import('./app.js');
  const gateway = await createGateway({ config, logger, version, commit, warmsUp: config.production });
  const url = await gateway.listen();
  logger.event('gateway.listening', { url });
  if (!config.production) print(welcomeText(url, config, gateway.sandbox, servesPlayground(config)));
  return { close: () => gateway.close() };
}

/** Creates the text for developers after `npm start`. @param url of the gateway, base path included */
function welcomeText(url: string, config: Config, sandbox: Gateway['sandbox'], hasPlayground: boolean): string {
  const logins = (sandbox?.accounts ?? []).map(({ loginId, password, org, isAdmin, otp }) => {
    const remarks = [org, isAdmin ? 'administrator' : 'user'];
    if (otp) remarks.push('needs a one-time password, see the log');
    return `    ${loginId} / ${password}  (${remarks.join(', ')})`;
  });
  return [
    '',
    ...(hasPlayground ? [`  Playground    ${url}/playground`] : []),
    `  GraphQL       ${url}/graphql`,
    `  Health        ${url}/health/ready`,
    `  Callback key  ${config.keys.callback[0]}`,
    ...(logins.length > 0 ? ['  Logins        of the built-in sandbox:', ...logins] : []),
    '',
    '',
  ].join('\n');
}
