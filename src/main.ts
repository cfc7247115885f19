/** The gateway process. */
import { readFileSync } from 'node:fs';
import { createGateway } from './app.js';
import { runProcess } from './process/run-program.js';
import { welcomeText } from './welcome.js';

await runProcess('gateway', async ({ config, logger }) => {
  const gateway = await createGateway({ config, logger, version: readVersion() });
  const url = await gateway.listen();
  logger.info({ url }, 'gateway is listening');
  if (!config.production) process.stdout.write(welcomeText(url, config, gateway.sandbox));
  return { close: () => gateway.close() };
});

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}
