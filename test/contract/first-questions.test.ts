/** The questions that people have first: a heading answers each at once, and is linked at the top of its page. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const read = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

/** Words behind a heading within which its answer begins, and words of a page within which its headings are linked. */
const [OF_ANSWER, OF_TOP] = [60, 300];

const firstWords = (text: string, count: number): string => text.trim().split(/\s+/).slice(0, count).join(' ');

it.each([
  ['a signed call in Python', 'openapi/README.md', 'Python', /```py/],
  ['the body of a message, decrypted', 'openapi/README.md', 'The body of a message', /JWE/],
  ['which answers are final', 'openapi/README.md', 'Which status means what', /final|\| Status/i],
  ['a queue other than ours', 'openapi/README.md', 'Languages and queues', /queue/i],
  ['language and zone of reports', 'deploy/driving-reports.md', 'Language, zone and rules', /REPORT_LOCALE=ja/],
  ['an own name on reports', 'deploy/driving-reports.md', 'An own name and logo', /"name": "ACME/],
  ['how long reports are kept', 'deploy/driving-reports.md', 'How long a report is kept', /REPORT_RETENTION_DAYS/],
  [
    'machines for 5,000 vehicles',
    'deploy/README.md',
    'Machines and memory',
    /\| Machines \| 1,000 vehicles \| 100,000/,
  ],
  ['an installation that survives a reboot', 'deploy/README.md', 'The smallest installation', /npm ci/],
  ['an upgrade with compose', 'deploy/day-two.md', 'With compose', /docker compose build/],
  ['back to the last version', 'deploy/day-two.md', 'The way back', /kubectl rollout undo/],
  ["which of yesterday's jobs failed, and why", 'deploy/README.md', 'Looking after jobs', /--outcome failure/],
  ['an alert in Slack', 'deploy/README.md', 'An alert in Slack', /slack_configs/],
  ['where personal data lies', 'deploy/personal-data.md', 'Personal data', /\| Place \|/],
  ['a new field', 'CONTRIBUTING.md', 'A field of a type', /\| File \| Change/],
])('%s is answered by %s, "%s"', (_question, page, heading, answer) => {
  const text = read(page);
  const [, behind = ''] = new RegExp(`^#+ ${heading}\\n(.*)`, 'ms').exec(text) ?? [];
  expect(firstWords(behind, OF_ANSWER)).toMatch(answer);
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  const isTitle = text.startsWith(`# ${heading}\n`);
  const top = `${read('README.md')} ${read('deploy/README.md')} ${firstWords(text, OF_TOP)}`;
  expect(top).toContain(isTitle ? `](${page.split('/').at(-1) ?? ''})` : `(#${anchor})`);
});
