/** Writes the README's tables, and pages of `deploy/`, as the code has them: `npm run readme:tables`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { metricsPage, runbookPage } from './deploy-pages.js';
import { callbackRows, logEventsTable, variablesTable } from './readme-tables.js';

const README = new URL('../../README.md', import.meta.url);

const text = [variablesTable(), logEventsTable()].reduce(
  (readme, table) => {
    const [heading = ''] = table.split('\n');
    const start = readme.indexOf(heading);
    if (start < 0) throw new Error(`README.md has no table that begins with ${heading}`);
    const end = readme.indexOf('\n\n', start);
    return `${readme.slice(0, start)}${table}${readme.slice(end)}`;
  },
  readFileSync(README, 'utf8'),
);
writeFileSync(README, text.replace(/(?:^\| `POST \/api\/.*\n)+/m, `${callbackRows()}\n`));
writeFileSync(new URL('../../deploy/metrics.md', import.meta.url), metricsPage());
writeFileSync(new URL('../../deploy/runbook.md', import.meta.url), runbookPage());
