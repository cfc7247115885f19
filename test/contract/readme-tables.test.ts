/** The tables of the README say what the code does. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config/config.js';
import { ERROR_STATUS } from '../../src/errors.js';
import { CALLBACK_PATHS } from '../../src/job-record/job-kinds.js';
import { metricsPage, runbookPage } from '../support/deploy-pages.js';
import { callbackRows, logEventsTable, variablesTable } from '../support/readme-tables.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The lines of a section of the README. */
function section(title: string): string {
  const [, text = ''] = new RegExp(`^##+ ${title}$(.*?)(?=^##+ |$(?![\\s\\S]))`, 'ms').exec(read('README.md')) ?? [];
  return text;
}

/** First cells of the rows of a table whose first cell matches. */
function cells(text: string, pattern: RegExp): (string | undefined)[] {
  return text.split('\n').flatMap((line) => {
    const [, found] = pattern.exec(line) ?? [];
    return found === undefined ? [] : [found];
  });
}

describe('README.md', () => {
  it('lists every variable with its meaning and its defaults', () => {
    expect(section('Configuration')).toContain(variablesTable());
  });

  it('lists every log event with its level and its meaning', () => {
    expect(section('Log events')).toContain(logEventsTable());
  });

  it('lists every callback with what it does', () => {
    expect(section('Endpoints')).toContain(callbackRows());
  });

  it('lists every GraphQL error code with its status', () => {
    const rows = cells(section('Errors'), /^\| (`\w+` \| \d{3}) \|/);
    expect(rows).toEqual(Object.entries(ERROR_STATUS).map(([code, status]) => `\`${code}\` | ${status}`));
  });

  it('lists every status that a callback answers besides 200', () => {
    const { paths } = parse(read('openapi/gateway.yaml')) as {
      paths: Record<string, { post: { responses: Record<string, unknown> } }>;
    };
    const described = Object.values(CALLBACK_PATHS).flatMap((path) => Object.keys(paths[path]?.post.responses ?? {}));
    const listed = cells(section('Errors'), /^\| (\d{3}(?:, \d{3})*) \|/).flatMap((cell) => cell?.split(', '));
    expect(listed.sort()).toEqual([...new Set(described)].filter((status) => status !== '200').sort());
  });
});

describe('deploy/metrics.md', () => {
  it('lists every metric with its type, its labels and its meaning', () => {
    expect(read('deploy/metrics.md')).toBe(metricsPage());
  });
});

describe('deploy/runbook.md', () => {
  it('says of every alert what it means, what to look at and what to do', () => {
    expect(read('deploy/runbook.md')).toBe(runbookPage());
  });
});

describe('deploy/.env.example', () => {
  /** What the compose file needs besides: names of its own services. */
  const OF_COMPOSE = ['BIND_ADDRESS', 'S3_HOST', 'REDIS_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

  it('names variables that exist, and all that production requires', () => {
    const named = cells(read('deploy/.env.example'), /^([A-Z0-9_]+)=/).filter(
      (name) => name !== undefined && !OF_COMPOSE.includes(name),
    );
    expect(named.filter((name) => !Object.hasOwn(VARIABLES, name ?? ''))).toEqual([]);
    const required = Object.entries(VARIABLES).filter(
      ([, variable]) => 'production' in variable && variable.production === 'required',
    );
    expect(named).toEqual(expect.arrayContaining(required.map(([name]) => name)));
  });
});
