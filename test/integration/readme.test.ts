/** README.md is run: its requests against a started development gateway, and its table of stumbles row by row. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { graphqlAt, postJson } from '../support/gateway.js';
import { MOBILES } from '../support/job-requests.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const ADDRESS = 'http://127.0.0.1:8080';

/** Requests of the page, each with the answer below it. */
const REQUESTS = [...README.matchAll(/^```sh\n([^`]*\bcurl [^`]*)```\n(?:```json\n([^`]*)```)?/gm)].map(
  ([, script = '', answer = '']) => ({ script, answer }),
);
/** Texts that the page says one sees when something is wrong. */
const SEEN = [...README.matchAll(/^\| `([^|]*)` \|.*\|.*\|$/gm)]
  .map(([, text = '']) => text)
  .filter((text) => README.indexOf(`| \`${text}\``) > README.indexOf('| You see |'));

describeWith(['bash', 'curl'], 'README.md', () => {
  const directory = forAllTests(temporaryDirectory);
  const programs = forAllTests(() => BuiltPrograms.open());
  const gateway = forAllTests(async () => {
    const started = await programs.startGateway({ DATA_DIR: path.join(directory.path, 'data') });
    await waitFor('a gateway that is ready', async () => (await fetch(`${started.url}/health/ready`)).ok);
    return started;
  });

  it('shows requests for readiness, a log-in, a query, a refusal and a callback, each with its answer', () => {
    const shown = REQUESTS.map(({ script }) => script).join('\n');
    for (const part of ['/health/ready', 'userLogin', 'mobiles(', 'serviceVersion', '/api/v1/']) {
      expect(shown).toContain(part);
    }
    expect(README.match(/\bcurl -/g)).toHaveLength(REQUESTS.length + 1); // one block logs in before it asks
  });

  it.each(REQUESTS)('gets the answer that it shows: $script', async ({ script, answer }) => {
    const { stdout } = await promisify(execFile)('bash', ['-euc', script.replaceAll(ADDRESS, gateway.url)]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(answer));
  });

  /** Output of a gateway with these settings until it ends. */
  const lastWords = async (settings: NodeJS.ProcessEnv, nodeOptions: readonly string[] = []): Promise<string> => {
    const { code, stdout, stderr } = await programs.run([...nodeOptions, 'dist/main.js'], settings);
    expect(code).not.toBe(0);
    return stdout + stderr;
  };
  const errorOf = async (query: string, authorization?: string): Promise<string | undefined> => {
    const { errors } = await graphqlAt(gateway.url)(query, {}, authorization);
    return errors?.[0]?.message;
  };
  const own = (name: string): NodeJS.ProcessEnv => ({ PORT: '0', DATA_DIR: path.join(directory.path, name) });
  const OLD_NODE = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.18.3" } })';

  /** Each stumble of the table, made. */
  const MADE: Readonly<Record<string, () => Promise<string | undefined>>> = {
    "Cannot find package 'esbuild'": async () => {
      const copy = path.join(directory.path, 'without-packages');
      for (const part of ['.ci', 'package.json'])
        await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true });
      return (await programs.run(['.ci/build.js'], {}, copy)).stderr;
    },
    'Node.js 20.19 or newer is needed': () => lastWords({}, ['--import', OLD_NODE]),
    'address already in use': () => lastWords({ ...own('port'), PORT: new URL(gateway.url).port }),
    'Another gateway uses': () => lastWords(own('data')),
    'NODE_ENV is not set': () => lastWords({ ...own('host'), HOST: '0.0.0.0' }),
    'is required in production': () => lastWords({ NODE_ENV: 'production' }),
    '{"message":"Unauthorized"}': async () => {
      const headers = { 'x-api-key': '"development-callback-key"' };
      return (await postJson(`${gateway.url}${MOBILES}`, [], headers)).text();
    },
    'token is invalid': () => errorOf('{ me { Org } }', 'Bearer out.of.date'),
    'The request body is too large': () => errorOf(`{ serviceVersion } # ${'-'.repeat(2 * 1024 * 1024)}`),
    'There were too many attempts to log in from your network': async () => {
      const guess = (account: number): string =>
        `mutation { userLogin(loginId: "user-${account}", password: "wrong") { otpRequired } }`;
      for (let account = 0; account < 20; account += 1) await errorOf(guess(account));
      return errorOf(guess(20));
    },
  };

  it('lists stumbles that are made here, every one of them', () => {
    expect(SEEN).toEqual(Object.keys(MADE));
  });

  it.each(Object.entries(MADE))('is right that one sees: %s', async (text, make) => {
    expect(await make()).toContain(text);
  });
});
