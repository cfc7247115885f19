/** The gateway process. */
import type { Gateway } from './app.js';
import type { RunningService, ServiceContext } from './process/service.js';
import { onSupportedNode } from './process/supported-node.js';

void onSupportedNode(async () => {
  const { runService } = await import('./process/service.js');
  await runService('gateway', start, async (config) => {
    const { findBackendFindings } = await import('./app/backends.js');
    const { findFileFindings } = await import('./app/configured-files.js');
    const { findCollectorDoubts } = await import('./telemetry/traces/start-tracing.js');
    const [files, backends, collector] = await Promise.all([
      findFileFindings(config),
      findBackendFindings(config),
      findCollectorDoubts(config),
    ]);
    return {
      faults: [...files.faults, ...backends.faults],
      doubts: [...files.doubts, ...backends.doubts, ...collector],
    };
  });
});

async function start({ config, logger, version, commit, print, giveUp }: ServiceContext): Promise<RunningService> {
  const { createGateway } = await import('./app.js');
  const { servesPlayground } = await import('./app/routes.js');
  const { DEVELOPMENT_CALLBACK_KEY } = await import('../base/config/load-config.js');
  const gateway = await createGateway({ config, logger, version, commit, onLost: giveUp });
  const url = await gateway.listen();
  logger.event('gateway.listening', { url });
  if (!config.production) {
    const isPublic = config.keys.callback[0] === DEVELOPMENT_CALLBACK_KEY;
    const callbackKey = isPublic ? DEVELOPMENT_CALLBACK_KEY : 'as set in TASK_CALLBACK_API_KEY';
    print(welcomeText(url, callbackKey, gateway.sandbox, servesPlayground(config)));
  }
  return { close: () => gateway.close() };
}

/** Creates the text for developers after `npm start`. @param url of the gateway, base path included */
function welcomeText(url: string, callbackKey: string, sandbox: Gateway['sandbox'], hasPlayground: boolean): string {
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
    `  Callback key  ${callbackKey}`,
    ...(logins.length > 0 ? ['  Logins        of the built-in sandbox:', ...logins] : []),
    '',
    '',
  ].join('\n');
}
