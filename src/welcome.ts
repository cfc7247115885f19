import type { Config } from './config/config.js';
import type { Sandbox } from './sandbox/sandbox.js';

/** What a developer wants to know after `npm start`. @param url of the gateway, base path included */
export function welcomeText(url: string, config: Config, sandbox: Sandbox | undefined): string {
  const logins = (sandbox?.accounts ?? []).map(({ loginId, password, org, isAdmin, otp }) => {
    const remarks = [org, isAdmin ? 'administrator' : 'user'];
    if (otp) remarks.push('needs a one-time password, see the log');
    return `    ${loginId} / ${password}  (${remarks.join(', ')})`;
  });
  return [
    '',
    `  Playground    ${url}/playground`,
    `  GraphQL       ${url}/graphql`,
    `  Health        ${url}/health/ready`,
    `  Callback key  ${config.keys.callback[0]}`,
    ...(logins.length > 0 ? ['  Logins        of the built-in sandbox:', ...logins] : []),
    '',
    '',
  ].join('\n');
}
