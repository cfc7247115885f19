/** Parts of a record that are read back: what was written comes back, and anything else is refused. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { LONGEST_RECORD_DAYS } from '../../../src/base/config/config.js';
import { parseItemOutcome } from '../../../src/jobs/record/record-fields.js';
import { isOfUnknownKey, joinFingerprint, splitFingerprint } from '../../../src/jobs/record/fingerprint.js';
import { loadConfig } from '../../../src/base/config/load-config.js';
import { KEPT_MS } from '../../../src/gateway/auth/kept-sessions.js';
import { KNOWN_MS } from '../../../src/gateway/graphql/limits/attempt-limits.js';
import { LINK_LIFETIME_MS } from '../../../src/objects/object-store.js';
import { backOffMs, DEAD_LETTER_RETENTION_MS } from '../../../src/jobs/record/job-queue.js';
import { JOB_KINDS } from '../../../src/jobs/record/job-kinds.js';
import {
  encodeKeyPart,
  jobRecordKey,
  ordererOf,
  parseJobRecordKey,
  recordRetentionMs,
} from '../../../src/jobs/record/job-record.js';
import { organisationTag, waitBehind } from '../../../src/jobs/record/organisation-jobs.js';
import { DamagedError } from '../../../src/jobs/record/stored-fields.js';

const DAY_MS = 24 * 3_600_000;

describe('the outcome of an item', () => {
  it.each([
    { index: 0, createdId: 0 },
    { index: 999, failure: '' },
    { index: 1, failure: 'gone', code: 'NotFound', reason: 'UnknownToBackend', values: { backendText: 'gone' } },
  ])('is read back: %j', (outcome) => {
    expect(parseItemOutcome({ ...outcome, ofALaterBuild: true })).toStrictEqual(outcome);
  });

  it('has no code where a later build wrote one that is not known yet', () => {
    expect(parseItemOutcome({ index: 1, failure: 'no', code: 'New' })).toStrictEqual({ index: 1, failure: 'no' });
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [{ index: 0 }],
    [{ index: -1, createdId: 1 }],
    [{ index: 0, createdId: 'one' }],
    [{ index: '0', failure: 'no' }],
    [{ index: 0, failure: 7 }],
    [{ index: 2 ** 53, failure: 'no' }],
  ])('is refused when it is %j', (stored) => expect(() => parseItemOutcome(stored)).toThrow(DamagedError));
});

it('who ordered a job is kept without anything else that is known of a user', () => {
  const user = { BackendUser: '利用者', LoggedInId: 'demo', Org: 'acme', ChatId: 'chat' };
  expect(ordererOf(user)).toEqual({ BackendUser: '利用者', LoggedInId: 'demo' });
  expect(Object.keys(ordererOf({ BackendUser: 'user' }))).toEqual(['BackendUser']);
});

describe('a fingerprint', () => {
  it.each(['kid.mac', '.mac', 'mac'])('is put together from its parts again: %s', (fingerprint) => {
    expect(joinFingerprint(splitFingerprint(fingerprint))).toBe(fingerprint);
  });

  it.each([
    ['new.a', ['old.b', 'older.c', 'b'], true],
    ['old.a', ['old.b', 'older.c', 'b'], false],
    ['older.a', ['old.b', 'older.c', 'b'], false],
    ['a', ['old.b', 'b'], false],
    ['new.a', [], true],
  ])('%s cannot be compared with %j: %s', (fingerprint, others, expected) => {
    expect(isOfUnknownKey(fingerprint, others)).toBe(expected);
  });
});

describe('the key of a record', () => {
  const job = { kind: 'mobiles', org: 'acme', jobId: 'job-1' } as const;

  it('is literally that of the specification', () => {
    expect(jobRecordKey(job)).toBe('job:{mobiles:acme:job-1}');
    expect(jobRecordKey({ ...job, org: undefined })).toBe('job:{mobiles::job-1}');
  });

  it.each([
    job,
    { ...job, org: undefined },
    { ...job, kind: 'driving-reports' as const, jobId: 'a:b.c}{%' },
    { ...job, kind: 'user-accounts' as const, org: '株式会社 {x}:y' },
  ])('tells which job it is of: %j', (identity) => expect(parseJobRecordKey(jobRecordKey(identity))).toEqual(identity));

  it.each([
    '',
    'xjob:{mobiles:acme:job-1}',
    'job:{mobiles:acme:job-1}x',
    'job:{mobiles:acme}',
    'job:{mobiles:acme:job:1}',
    'job:{lorries:acme:job-1}',
    'job:{toString:acme:job-1}',
    'job:{mobiles:acme:%E0%A4%A}',
  ])('is none: "%s"', (key) => expect(parseJobRecordKey(key)).toBeUndefined());

  it('has no part that is a place of its own in a path', () => {
    expect(['.', '..', 'a/b', '株'].map(encodeKeyPart)).toEqual(['%2E', '%2E%2E', 'a%2Fb', '%E6%A0%AA']);
    expect(['acme', undefined, '/'].map(organisationTag)).toEqual(['acme', '/', '%2F']);
  });
});

it('No record outlives its report, which REPORT_RETENTION_DAYS keeps for a day longer at least', () => {
  const days = JOB_KINDS.map((kind) => recordRetentionMs({ kind, org: 'acme' }) / (24 * 3_600_000));
  expect(Math.max(...days)).toBeLessThanOrEqual(LONGEST_RECORD_DAYS);
});

/** Texts that say for how long a record is kept, with `#` for the days; those in the runbook and the rules are copies. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'schema/README.md': ['can query and cancel it for # days'],
  'schema/jobs.graphql': ['with the mutations of this schema within the last # days'],
  'deploy/alerts.yaml': ['links work again for # days after the job'],
  'deploy/runbook.md': ['links work again for # days after the job'],
  'deploy/kubernetes/monitoring/rules.yaml': ['links work again for # days after the job'],
  'deploy/capacity.md': ['until its record expires after # days', 'the records of ended jobs, # days each'],
  'deploy/day-two.md': ['Statuses expire after # days'],
  'deploy/driving-reports.md': ['Users download a report for # days'],
  'deploy/personal-data.md': ['# days after the end'],
  'deploy/redis.md': ['counts as open until its record expires (# days)'],
  'deploy/sqs.md': ['1209600 (14 days), and at least # days', 'standard, 14 days, and at least # days'],
  'deploy/dashboard.json': ['eight days may go: records are kept for #.'],
};

it('Every page, the SDL, the alerts and the dashboard say for how long a record is kept, and no other text does', async () => {
  const inside = ['deploy', 'openapi', 'schema'].map(async (folder) =>
    (await readdir(folder, { recursive: true })).map((file) => `${folder}/${file}`),
  );
  const files = [...(await readdir('.')), ...(await Promise.all(inside)).flat()].filter(
    (file) => /\.(?:md|yaml|json|graphql)$/.test(file) && !file.startsWith('package'),
  );
  const days = /\b(?:7|seven)(?= days|\.")/g;
  expect(LONGEST_RECORD_DAYS).toBe(7);
  for (const file of files) {
    const text = (await readFile(file, 'utf8')).replaceAll(/\s+/g, ' ').replaceAll(days, '#');
    const said = TEXTS[file] ?? [];
    expect([file, said.filter((each) => !text.includes(each))]).toEqual([file, []]);
    expect([file, text.match(/# days|#\."/g)?.length ?? 0]).toEqual([file, said.length]);
  }
  expect(Object.keys(TEXTS).filter((file) => !files.includes(file))).toEqual([]);
});

it('A job comes again the later, the more of its organisation wait before it, and after ten seconds at the latest', () => {
  expect([0, 1, 10, 11, 20, 21, 99, 100, 101, 5_000].map(waitBehind)).toEqual([
    1_000, 1_000, 1_000, 2_000, 2_000, 3_000, 10_000, 10_000, 10_000, 10_000,
  ]);
});

it('A failed attempt is repeated after a second, then after twice the time each, and after a minute at the latest', () => {
  const waits = [1, 2, 3, 6, 7, 8, 100].map(backOffMs);
  expect(waits).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
});

it('deploy/personal-data.md says how long each place keeps what it has of a person', async () => {
  const page = await readFile('deploy/personal-data.md', 'utf8');
  const timeOf = (place: string): string => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${place}`));
    return row?.split(' | ')[2] ?? '';
  };
  const { objects } = loadConfig({ DATA_DIR: '/data' });
  expect(timeOf('records of jobs')).toBe(`${LONGEST_RECORD_DAYS} days after the end`);
  expect(timeOf('messages')).toContain(`a dead letter ${DEAD_LETTER_RETENTION_MS / DAY_MS} days`);
  expect(timeOf('reports')).toBe(`\`REPORT_RETENTION_DAYS\` (${objects.retentionDays})`);
  expect(timeOf('links')).toBe(`${LINK_LIFETIME_MS / 60_000} minutes`);
  expect(timeOf('sessions')).toBe(`${Math.max(...Object.values(KEPT_MS)) / 1_000} seconds`);
  expect(timeOf('counters')).toBe(`${(24 * KNOWN_MS) / DAY_MS} hours at most`);
});
