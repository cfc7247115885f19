/** The programs that `openapi/README.md` gives to copy call a gateway, and treat every vector as the page says. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { serveOnLoopback } from '../support/loopback.js';
import { closeAfterTest, forAllTests, gatewayForAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { VECTORS } from '../support/vectors.js';

const { keys, calls, notCalled } = VECTORS;
const { payloadKeys: _, ...variables } = keys;

/** Commands that make a program of a file, and its name. */
const LANGUAGES = {
  python: { file: 'deliver.py', tools: ['python3'], build: undefined, run: ['python3', 'deliver.py'] },
  go: { file: 'deliver.go', tools: ['go'], build: ['go', 'build', '-o', 'deliver', 'deliver.go'], run: ['./deliver'] },
  sh: { file: 'call.sh', tools: ['curl', 'openssl'], build: undefined, run: ['bash', '-eu', 'call.sh'] },
} as const;

/** The first block of the page in a language, as a program. */
async function programOf(language: keyof typeof LANGUAGES) {
  const { file, build, run } = LANGUAGES[language];
  const page = await readFile(path.join(ROOT, 'openapi/README.md'), 'utf8');
  const [, block = ''] = new RegExp(`^\`\`\`${language}$(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  const directory = await mkdtemp(path.join(tmpdir(), 'queue-function-'));
  await writeFile(path.join(directory, file), block);
  const execute = ([name = '', ...rest]: readonly string[], environment: object, input = ''): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: directory, GOCACHE: path.join(directory, 'cache'), ...environment };
    const running = promisify(execFile)(name, rest, { cwd: directory, env });
    running.child.stdin?.end(input);
    return running.then(({ stdout }) => stdout);
  };
  if (build) await execute(build, {});
  return {
    run: (GATEWAY_URL: string, input?: object) =>
      execute(run, { ...variables, GATEWAY_URL }, input && JSON.stringify(input)),
    close: () => rm(directory, { recursive: true }),
  };
}

describeWith(['curl', 'openssl'], 'The call by hand', () => {
  const gateway = gatewayForAllTests(variables);
  const program = forAllTests(() => programOf('sh'));

  it('runs a job', async () => {
    expect(JSON.parse(await program.run(gateway.url))).toEqual({ status: 'Success' });
    expect(gateway.sandbox.journal.effects('mobileUpdated')).toHaveLength(1);
  });
});

for (const language of ['python', 'go'] as const) {
  describeWith(LANGUAGES[language].tools, `A queue function in ${language}`, () => {
    const gateway = gatewayForAllTests(variables);
    const program = forAllTests(() => programOf(language));

    it.each(calls)('delivers $what', async ({ message, call }) => {
      expect(await program.run(gateway.url, message)).toBe('done\n');
      const again = { 'x-api-key': keys.TASK_CALLBACK_API_KEY, 'x-job-id': message.jobId };
      // The gateway knows the job with this body; the key alone is not enough.
      expect((await gateway.callback(call.path, call.body, again)).status).toBe(401);
    });

    it.each([
      [200, 'done'],
      [400, 'final'],
      [422, 'final'],
      [500, 'retry'],
      [409, 'delay'],
      [503, 'delay'],
      [307, 'delay'],
    ])('takes the answer %i for %s, and for a delay without the job id', async (status, outcome) => {
      let isOwn = true;
      let called = 0;
      const { url } = closeAfterTest(
        await serveOnLoopback((request, response) => {
          called += 1;
          request.resume();
          const id = isOwn ? { 'x-job-id': request.headers['x-job-id'] } : {};
          response.writeHead(status, { ...id, ...(status === 307 && { Location: url }) }).end();
        }),
      );
      const message = calls[0]?.message;
      expect(await program.run(url, message)).toBe(`${outcome}\n`);
      isOwn = false;
      expect(await program.run(url, message)).toBe('delay\n');
      expect(called).toBe(2);
    });

    it.each(notCalled)('makes no call of $what', async ({ message, code }) => {
      const outcome = code === 'unreadable' ? 'final' : 'delay';
      expect(await program.run('http://127.0.0.1:1', message)).toBe(`${outcome}\n`);
    });
  });
}
