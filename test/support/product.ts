/** Parts of the product that suites with a gateway in their own process use; bundled like the programs. */
export { createGateway } from '../../src/programs/app.js';
export { loadConfig } from '../../src/base/config/load-config.js';
export { createLogger } from '../../src/base/logging/logger.js';
export { createSigningKey } from '../../src/sandbox/access-tokens.js';
export { startSandbox } from '../../src/sandbox/sandbox.js';
/** Makes changes of Node.js's own modules seen by all that import them; the one that Jest gives does nothing. */
export { syncBuiltinESMExports } from 'node:module';
