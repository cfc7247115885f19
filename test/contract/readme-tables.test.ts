/** The pages that people read say what the code does, and lead to one another. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { parse as parseGraphQL } from 'graphql';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/base/config/variables.js';
import { ERROR_STATUS } from '../../src/base/error-table.js';
import { UNANSWERED } from '../../src/gateway/http/error-handler.js';
import { EXPECTATION_FAILED, STATUS_OF_FAULT } from '../../src/gateway/http/http-listener.js';
import { CALLBACK_PATHS } from '../../src/jobs/record/job-kinds.js';
import { ROOT } from '../support/built-programs.js';
import { picturedWords } from '../support/pdf-words.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';
import { metricsPage, prometheusRule, runbookPage } from '../support/deploy-pages.js';
import {
  callbackRows,
  deliveriesTable,
  errorsTable,
  operationsTable,
  logEventsTable,
  variablesTable,
} from '../support/readme-tables.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function section(page: string, title: string): string {
  const [, text = ''] = new RegExp(`^##+ ${title}$(.*?)(?=^##+ |$(?![\\s\\S]))`, 'ms').exec(read(page)) ?? [];
  return text;
}

/** First cells of the rows of a table whose first cell matches. */
function cells(text: string, pattern: RegExp): (string | undefined)[] {
  return text.split('\n').flatMap((line) => {
    const [, found] = pattern.exec(line) ?? [];
    return found === undefined ? [] : [found];
  });
}

it.each([
  ['deploy/configuration.md', 'every variable with its meaning and its defaults', variablesTable],
  ['deploy/log-events.md', 'every log event with its level and its meaning', logEventsTable],
  ['schema/errors.md', 'every error text with its reason, code, status and readers', errorsTable],
  ['schema/README.md', 'who may call each operation', operationsTable],
  ['SECURITY.md', 'who may call each operation', operationsTable],
  ['openapi/README.md', 'what becomes of a delivery, by what came back', deliveriesTable],
])('%s has the table of %s', (page, _what, table) => expect(read(page)).toContain(`\n\n${table()}\n\n`));

it.each([
  ['deploy/metrics.md', 'every metric with its type, its labels and its meaning', metricsPage],
  ['deploy/runbook.md', 'what every alert means, what to look at and what to do', runbookPage],
  ['deploy/kubernetes/monitoring/rules.yaml', 'the same alerts for the Prometheus operator', prometheusRule],
])('%s says %s', (page, _what, text) => expect(read(page)).toBe(text()));

it('schema/README.md lists every GraphQL error code with its status', () => {
  const rows = cells(section('schema/README.md', 'Errors'), /^\| (`\w+` \| \d{3}) \|/);
  expect(rows).toEqual(Object.entries(ERROR_STATUS).map(([code, status]) => `\`${code}\` | ${status}`));
});

describe('openapi/README.md', () => {
  it('lists every callback with what it does', () => {
    expect(section('openapi/README.md', 'Endpoints')).toContain(callbackRows());
  });

  it('lists every status that a callback answers', () => {
    const { paths } = parse(read('openapi/gateway.yaml')) as {
      paths: Record<string, { post: { responses: Record<string, unknown> } }>;
    };
    const described = Object.values(CALLBACK_PATHS).flatMap((path) => Object.keys(paths[path]?.post.responses ?? {}));
    const listed = cells(section('openapi/README.md', 'Which status means what'), /^\| (\d{3}(?:, \d{3})*) \|/).flatMap(
      (cell) => cell?.split(', '),
    );
    expect(listed).toEqual(expect.arrayContaining([...new Set(described)]));
  });

  it('lists every status of what is refused before a path is known', () => {
    const listed = cells(section('openapi/README.md', 'Refused before a path is known'), /^\| (\d{3}) \|/);
    const answered = new Set([
      ...Object.keys(UNANSWERED).map(Number),
      ...Object.values(STATUS_OF_FAULT),
      400,
      EXPECTATION_FAILED,
    ]);
    expect(listed).toEqual([...answered].sort((a, b) => a - b).map(String));
  });
});

it('deploy/driving-reports.md pictures the page that this version makes; otherwise: npm run readme:pictures', async () => {
  const { path: directory } = closeAfterTest(await temporaryDirectory());
  const preview = ['--import', 'tsx', 'test/support/report-preview.ts', '--drivers', '3', '--out', directory];
  await promisify(execFile)(process.execPath, preview, { cwd: ROOT });
  const words = await picturedWords(path.join(directory, 'driving-report-en-3.pdf'));
  expect(words).toEqual(read('test/examples/pictures/driving-report.txt').trimEnd().split('\n'));
});

describe('the pages', () => {
  const below = ['deploy', 'openapi', 'schema', 'src', 'test'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const pages = [...readdirSync(ROOT), ...below].filter((name) =>
    /^(?!.*(node_modules|\/generated\/)).*\.md$/.test(name),
  );

  /** Headings as anchors of them are written. */
  function anchors(page: string): string[] {
    return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  /** Words of a text without its blocks of code. */
  const wordsOf = (text: string): string[] =>
    text.replaceAll(/^ *```.*?^ *```$/gms, '').match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];

  it('lead to files and headings that exist', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'deploy/README.md']));
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([link, file = '', anchor]) => {
        const target = file === '' ? page : path.join(path.dirname(page), file);
        return { page, link, target, anchor };
      }),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ target }) => !existsSync(path.join(ROOT, target)))).toEqual([]);
    const withAnchor = links.filter(({ anchor }) => anchor !== undefined);
    expect(withAnchor.filter(({ target, anchor }) => !anchors(target).includes(anchor ?? ''))).toEqual([]);
  });

  it('name files and parts of the code that exist, as far as maintainers are sent to them', () => {
    const text = read('CONTRIBUTING.md') + read('DECISIONS.md');
    const named = [...text.matchAll(/`((?:\.ci|[a-z-]+)(?:\/[\w.-]+)+\/?)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(60);
    const exists = (name: string): boolean =>
      existsSync(path.join(ROOT, name)) || below.some((file) => file.endsWith(`/${name}`));
    expect(named.filter((name) => !exists(name))).toEqual([]);
    const code = below.filter((file) => /^(?!.*node_modules).*\.(ts|js|yaml|graphql)$/.test(file)).map(read);
    const words = new Set(code.flatMap((source) => source.match(/\w+/g) ?? []));
    const identifiers = [...text.matchAll(/`((?=\w*[a-z])[A-Za-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name);
    expect(identifiers.length).toBeGreaterThan(40);
    expect(identifiers.filter((name) => !words.has(name))).toEqual([]);
  });

  it('count the files of each recipe', () => {
    const recipes = [...read('CONTRIBUTING.md').matchAll(/^\| \[(.+)\]\(#.+\).* \| (\d+) \|$/gm)];
    expect(recipes.length).toBeGreaterThan(10);
    const counted = recipes.map(([, title = '']) => [
      title,
      cells(section('CONTRIBUTING.md', title), /^\| (`.+\/.*) \| (?!if )/).length,
    ]);
    expect(counted).toEqual(recipes.map(([, title, count]) => [title, Number(count)]));
  });

  it('keep decisions short, each under the names of its folders', () => {
    const decisions = read('DECISIONS.md');
    expect(wordsOf(decisions).length).toBeLessThanOrEqual(3_500);
    const folders = [...decisions.matchAll(/^## (.*)$/gm)].flatMap(([, title = '']) => title.match(/\b[a-z/-]+/g));
    expect(folders).toEqual(expect.arrayContaining(['schema', 'openapi', 'src/jobs/engines', 'test', 'deploy']));
    expect(folders.filter((folder) => folder?.startsWith('src/') && !existsSync(path.join(ROOT, folder)))).toEqual([]);
  });

  it('answer twenty questions where a reader looks, each at the beginning of its section', () => {
    const rows = [...read('QUESTIONS.md').matchAll(/^\| .*\? \| \[.*\]\((.*)#(.*)\) \| `(.*)` \|$/gm)];
    expect(rows).toHaveLength(20);
    const wrong = rows.flatMap(([row, page = '', anchor = '', beginning = '']) => {
      const headings = [...read(page).matchAll(/^#+ .*$/gm)];
      const at = anchors(page).indexOf(anchor);
      const answer = at < 0 ? '' : read(page).slice(headings[at]?.index, headings[at + 1]?.index);
      const isFirst = at === 0 || wordsOf(read(page)).slice(0, 300).join(' ').includes(`(#${anchor})`);
      const isLinked = isFirst || read('README.md').includes(`(${page}#${anchor})`);
      return answer.split(/\s+/).slice(0, 60).join(' ').includes(beginning) && isLinked ? [] : [row];
    });
    expect(wrong).toEqual([]);
  });

  it('are short, those that are written: half of them below 900 words, 28,000 in all', () => {
    const tables = [variablesTable(), logEventsTable(), operationsTable(), deliveriesTable(), callbackRows()];
    const made = /CHANGELOG|DECISIONS|^\.github|(metrics|runbook|errors|results\/requests)\.md$/;
    const counted = pages.flatMap((page) => {
      const text = tables.reduce((rest, table) => rest.replace(table, ''), read(page));
      return made.test(page) ? [] : [{ page, words: wordsOf(text).length }];
    });
    const words = counted.map((each) => each.words).toSorted((one, other) => one - other);
    expect(counted.filter((each) => each.words > 2_500)).toEqual([]);
    expect(words.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(28_000);
    expect(words[Math.floor(words.length / 2)]).toBeLessThan(900);
  });

  it('show a block, a table or a picture for every 150 words of text to those who use or operate the gateway', () => {
    const made = /CHANGELOG|(configuration|metrics|runbook|errors|log-events)\.md$/;
    const used = pages.filter((page) => /^(README|deploy|schema|openapi)\b/.test(page) && !made.test(page));
    expect(used.length).toBeGreaterThan(15);
    const sparse = used.filter((page) => {
      const shown = read(page).match(/^ *```\w+$|^ *\|[-:| ]+\|$|!\[/gm)?.length ?? 0;
      return wordsOf(read(page).replaceAll(/^ *\|.*$/gm, '')).length > 150 * shown;
    });
    expect(sparse).toEqual([]);
  });

  it('give blocks to copy that can be read, and name files that exist', async () => {
    const readBlock = async (language: string, text: string): Promise<unknown> => {
      switch (language) {
        case 'json':
          return JSON.parse(text);
        case 'graphql':
          return parseGraphQL(text);
        case 'sh':
          return promisify(execFile)('bash', ['-nc', text]);
        case 'js':
        case 'ts':
          return transform(text, { loader: language });
        default: // Python and Go are run by the suite of their page.
          return undefined;
      }
    };
    const blocks = pages.flatMap((page) =>
      [...read(page).matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(([, language = '', text = '']) => {
        return { page, language, text };
      }),
    );
    expect(blocks.length).toBeGreaterThan(60);
    const faults = blocks.map(async ({ page, language, text }) => {
      const missing = (text.match(/(?<![\w./-])deploy\/[\w./-]+\.\w+/g) ?? []).filter(
        (name) => !existsSync(path.join(ROOT, name)),
      );
      const unread = await readBlock(language, text).then(
        () => [],
        (error: unknown) => [String(error)],
      );
      return [...missing, ...unread].map((fault) => `${page}: ${fault}`);
    });
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it('name scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => ({ page, script })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

describe('deploy/.env.example', () => {
  /** Variables of the compose file itself, about its own services. */
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
