import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { JOB_KINDS } from '../../../src/jobs/record/job-kinds.js';
import { JOBS_OPTIONS, readJobsCommand, type JobsCommand } from '../../../src/programs/jobs-cli/command-line.js';
import { readArguments } from '../../../src/programs/process/read-arguments.js';

const read = (args: readonly string[]): JobsCommand => readJobsCommand(readArguments(args, JOBS_OPTIONS, 2));

describe('the command line for jobs', () => {
  it.each([
    ['', 'A command is missing.'],
    ['lists', 'There is no command "lists".'],
    ['list --colour', 'Unknown option "--colour".'],
    ['list acme', '"acme" is one argument too many.'],
    ['list --kind reports', `--kind must be one of ${JOB_KINDS.join(', ')}, and is "reports".`],
    ['list --older-than 2', '--older-than must be a number and s, m, h or d, such as 90s or 2h, and is "2".'],
    ['list --limit 0', '--limit must be a whole number from 1, and is "0".'],
    ['list --org acme --state ended', '--state must be one of pending, running, finished, any, and is "ended".'],
    ['list --outcome done', '--outcome must be one of success, failure, and is "done".'],
    ['list --org acme --state any --reason x', '--reason does not go with list of jobs.'],
    ['cancel', 'The id of a job is missing.'],
    ['drop', 'Which dead letters are meant is missing: an id, a condition such as --kind, or --all.'],
    ['replay --all --yes', '--yes does not go with replay.'],
    ['show', 'The id of a job is missing.'],
    ['show job-1 --failed-items', '--failed-items does not go with show.'],
    ['replay', 'Which dead letters are meant is missing: an id, a condition such as --kind, or --all.'],
    ['replay job-1 --all', '--all does not go with the id of a job.'],
  ])('refuses "%s": %s', (args, sentence) => {
    expect(() => read(args.split(' ').filter((arg) => arg !== ''))).toThrow(sentence);
  });

  it('takes every command that the pages for operators name', () => {
    const folder = new URL('../../../deploy/', import.meta.url);
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
    const text = pages.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    const named = [...text.matchAll(/(?:npm run jobs --|jobs-cli\.js) ([a-z]+ [^`#\n]+)/g)].map(([, arg = '']) => arg);
    expect(named.length).toBeGreaterThan(10);
    for (const args of named) expect(() => read(args.match(/"[^"]+"|[^\s[\]]+/g) ?? [])).not.toThrow();
  });

  it('reads what is meant', () => {
    const off = { json: false, follow: false, failedItems: false, dryRun: false, yes: false };
    const show = { name: 'show', selection: { jobId: 'job-1', org: '' }, ...off, follow: true, json: true };
    expect(read(['show', 'job-1', '--follow', '--org', '', '--json'])).toEqual(show);
    const selection = { kind: 'mobiles', minAgeMs: 90_000, maxAgeMs: 172_800_000, limit: 5 };
    const replay = ['replay', '--kind', 'mobiles', '--older-than', '90s', '--newer-than', '2d', '--limit', '5'];
    expect(read(replay)).toEqual({ name: 'replay', selection, ...off });
    expect(read(['replay', '--all', '--dry-run'])).toMatchObject({ selection: {}, dryRun: true });
  });
});
