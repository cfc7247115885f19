/** The gateway process. */
import { createGateway, findFileFaults, servesPlayground, type Gateway } from './app.js';
import type { Config } from './config/config.js';
import { runProgram, type ProcessContext, type RunningProgram } from './process/run-program.js';

const start = async ({ config, logger, version, print }: ProcessContext): Promise<RunningProgram> => {
  const gateway = await createGateway({ config, logger, version });
  const url = await gateway.listen();
  logger.event('gateway.listening', { url });
  if (!config.production) print(welcomeText(url, config, gateway.sandbox));
  return { close: () => gateway.close() };
};

await runProgram('gateway', start, findFileFaults);

/** What a developer wants to know after `npm start`. @param url of the gateway, base path included */
function welcomeText(url: string, config: Config, sandbox: Gateway['sandbox']): string {
  const logins = (sandbox?.accounts ?? []).map(({ loginId, password, org, isAdmin, otp }) => {
    const remarks = [org, isAdmin ? 'administrator' : 'user'];
    if (otp) remarks.push('needs a one-time password, see the log');
    return `    ${loginId} / ${password}  (${remarks.join(', ')})`;
  });
  return [
    '',
    ...(servesPlayground(config) ? [`  Playground    ${url}/playground`] : []),
    `  GraphQL       ${url}/graphql`,
    `  Health        ${url}/health/ready`,
    `  Callback key  ${config.keys.callback[0]}`,
    ...(logins.length > 0 ? ['  Logins        of the built-in sandbox:', ...logins] : []),
    '',
    '',
  ].join('\n');
}
