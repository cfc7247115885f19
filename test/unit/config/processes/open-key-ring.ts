/** Opens the keys of every data directory that it is sent, one a line, and says which key each has. */
import { createInterface } from 'node:readline';
import { loadConfig } from '../../../../src/base/config/load-config.js';
import { openKeyRing } from '../../../../src/base/config/open-key-ring.js';

process.stdout.write('ready\n');
for await (const dataDir of createInterface(process.stdin)) {
  const [{ kid }] = (await openKeyRing(loadConfig({ DATA_DIR: dataDir }), undefined)).for('queue-payload');
  process.stdout.write(`${kid}\n`);
}
