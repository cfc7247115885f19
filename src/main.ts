/** The process: environment, signals, exit codes. Everything else is in `app.ts`. */
import { readFileSync } from 'node:fs';
import { createGateway, type Gateway } from './app.js';
import { ConfigError, loadConfig, type Config } from './config.js';
import { createLogger, type Logger } from './logger.js';
import { welcomeText } from './welcome.js';

/** Exit code of a faulty configuration (`EX_CONFIG` of sysexits). */
const EXIT_CONFIG = 78;

const config = readConfig();
const logger = createLogger({ level: config.logLevel, pretty: !config.production });
await start(config, logger);

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

async function start(config: Config, logger: Logger): Promise<void> {
  let gateway: Gateway;
  let url: string;
  try {
    gateway = await createGateway({ config, logger, version: readVersion() });
    url = await gateway.listen();
  } catch (err) {
    logger.fatal({ err }, 'the gateway could not be started');
    process.exit(1);
  }
  stopOnSignals(gateway, logger);
  logger.info({ url }, 'gateway is listening');
  if (!config.production) process.stdout.write(welcomeText(url, config, gateway.sandbox));
}

/** The first signal shuts down in order, the second one at once. */
function stopOnSignals(gateway: Gateway, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'shutting down');
    void gateway.close().then((clean) => process.exit(clean ? 0 : 1));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}
