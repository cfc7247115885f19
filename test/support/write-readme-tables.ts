/** Writes the tables of the pages that are read, as the code has them: `npm run readme:tables`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { metricsPage, prometheusRule, runbookPage } from './deploy-pages.js';
import { JOBS_HELP } from '../../src/programs/jobs-cli/program.js';
import { schemaChangelog } from './schema-changes.js';
import {
  callbackRows,
  deliveriesTable,
  errorsTable,
  logEventsTable,
  operationsTable,
  variablesTable,
} from './readme-tables.js';

const page = (name: string): URL => new URL(`../../${name}`, import.meta.url);

/** Replaces the table that begins with the same line. */
function writeTable(name: string, table: string): void {
  const text = readFileSync(page(name), 'utf8');
  const [heading = ''] = table.split('\n');
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`${name} has no table that begins with ${heading}`);
  const end = text.indexOf('\n\n', start);
  writeFileSync(page(name), `${text.slice(0, start)}${table}${text.slice(end)}`);
}

/** The answer to `npm run jobs -- --help`. */
const operating = readFileSync(page('deploy/README.md'), 'utf8');
writeFileSync(
  page('deploy/README.md'),
  operating.replace(/^```text\nLooks after jobs[^`]*```/m, () => `\`\`\`text\n${JOBS_HELP}\n\`\`\``),
);

const endpoints = readFileSync(page('openapi/README.md'), 'utf8');
writeFileSync(page('openapi/README.md'), endpoints.replace(/(?:^\| `POST \/api\/.*\n)+/m, `${callbackRows()}\n`));
writeTable('deploy/configuration.md', variablesTable());
writeTable('deploy/log-events.md', logEventsTable());
writeTable('openapi/README.md', deliveriesTable());
writeTable('schema/errors.md', errorsTable());
for (const name of ['schema/README.md', 'SECURITY.md']) writeTable(name, operationsTable());
writeFileSync(page('deploy/metrics.md'), metricsPage());
writeFileSync(page('deploy/runbook.md'), runbookPage());
writeFileSync(page('schema/CHANGELOG.md'), await schemaChangelog());
writeFileSync(page('deploy/kubernetes/monitoring/rules.yaml'), prometheusRule());
