/** The gateway as a process of its own, as it is deployed: exit codes, messages, signals, production settings. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { BuiltPrograms, buildPrograms, ROOT, type ServingProgram } from '../support/built-programs.js';
import { accepts, freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { callBack, graphqlAt, postJson, productionAt } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, MOBILES, reportOf } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';
import { converse } from '../support/raw-conversation.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { scrape } from '../support/scraped-metrics.js';
import { startBackends } from '../support/successive-gateways.js';
import { succeeds, waitFor } from '../support/wait-for.js';

const EX_CONFIG = 78;
const MAIN = ['dist/main.js'] as const;

/** CommonJS, run in every thread: notes in a file how an attempt to `require` an ES module of ours ended. */
const noteRequiredModules = (file: string): string => `
  const { prototype } = require('node:module');
  const { appendFileSync } = require('node:fs');
  const load = prototype.require;
  prototype.require = function (id) {
    if (!id.includes('/dist/thread-')) return load.call(this, id);
    try {
      const loaded = load.call(this, id);
      appendFileSync(${JSON.stringify(file)}, 'loaded');
      return loaded;
    } catch (error) {
      appendFileSync(${JSON.stringify(file)}, error.code);
      throw error;
    }
  };`;

const programs = forAllTests(() => BuiltPrograms.open());
const sandbox = forAllTests(startBackends);
const dataDir = forAllTests(temporaryDirectory);

afterEach(() => sandbox.faults.clear());

/** Starts a gateway in production and waits until it listens. */
async function startProduction(env: NodeJS.ProcessEnv = {}, from = programs): Promise<ServingProgram> {
  return closeAfterTest(await from.startGateway({ ...production(), ...env }), (gateway) => gateway.kill());
}

async function exitCodeOf(program: ChildProgram): Promise<number | null> {
  await waitFor('its end', () => !program.isRunning());
  return program.exitCode();
}

/** Lines of its output that are none of the log. */
async function strayLines(program: ChildProgram): Promise<readonly string[]> {
  return (await program.output()).split('\n').filter((line) => !/^(\{.*\})?$/.test(line));
}

const production = (): NodeJS.ProcessEnv => ({ ...productionAt(sandbox), DATA_DIR: dataDir.path });

async function askForMobile(url: string): Promise<string> {
  const bearer = `Bearer ${await sandbox.mintToken()}`;
  return (await graphqlAt(url)('{ mobile(id: 1) { id } }', {}, bearer)).text;
}

async function readiness(url: string): Promise<string> {
  const reply = await fetch(`${url}/health/ready`);
  const { Status, Gateway } = (await reply.json()) as Record<string, string>; // as the contract says
  return `${reply.status} ${Status} ${Gateway}`;
}

/** Expects a stack trace that names lines of our sources, of which the first one makes an error. */
function expectToLeadToSources(output: string): void {
  const [, file = '', line] = /\bat .*?\(?(src\/[\w/-]+\.ts):(\d+):\d+/.exec(output) ?? [];
  expect(readFileSync(path.join(ROOT, file), 'utf8').split('\n')[Number(line) - 1]).toMatch(/Error\(|\.write\(/);
  expect(output).not.toMatch(/at .*\/dist\//);
}

it('An error that ends a program is printed with the lines of our sources', async () => {
  const broken = 'process.stdout.write = () => { throw new Error("a broken pipe"); }';
  const preload = `--import=data:text/javascript,${encodeURIComponent(broken)}`;
  const ended = await programs.run([preload, 'dist/jobs-cli.js', '--help'], {});
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Error: a broken pipe') });
  expectToLeadToSources(ended.stderr);
});

describe('a gateway that cannot start', () => {
  it.each(['production', 'development'])(
    'because its port is taken says which, and what to do, in %s',
    async (mode) => {
      const server = createServer();
      const port = await listenOnLoopback(server);
      const environment = {
        ...(mode === 'production' ? production() : { DATA_DIR: dataDir.path }),
        PORT: String(port),
      };
      const ended = await programs.run(MAIN, environment);
      expect(ended.code).toBe(1);
      expect(ended.stdout).toContain(
        `cannot listen on port ${port} of 127.0.0.1 (set by PORT and HOST): listen EADDRINUSE`,
      );
      expect(ended.stdout).toContain('End what listens there, or set PORT to a port that is free.');
      expect(ended.stdout).not.toContain('.js:');
      if (mode === 'production') {
        const words = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '') as unknown;
        expect(words).toMatchObject({ event: 'program.start_failed', program: 'gateway', level: 'fatal' });
        // Where in the code, when asked for details.
        const detailed = await programs.run(MAIN, { ...environment, LOG_LEVEL: 'debug' });
        expectToLeadToSources(detailed.stdout);
      }
      server.close();
    },
  );

  it('because its configuration is faulty ends with 78 before it listens, and lists every fault on stderr', async () => {
    const { code, stdout, stderr } = await programs.run(MAIN, {
      // Missing variables are named as well: neither sandbox nor development keys stand in for them.
      NODE_ENV: 'production',
      PORT: '0',
      LOG_LEVEL: 'loud',
      BASE_PATH: 'x',
      JOB_ENCRYPTION_KEY: 'k',
      DATA_DIR: dataDir.path,
    });
    expect([code, stdout]).toEqual([EX_CONFIG, '']);
    const [headline, ...faults] = stderr.trimEnd().split('\n');
    expect(headline).toBe(`The configuration has ${faults.length} fault(s):`);
    expect(faults.map((fault) => /^ {2}- (\w+) /.exec(fault)?.[1]).toSorted()).toEqual([
      'BACKEND_API_KEY',
      'BACKEND_API_URL',
      'BASE_PATH',
      'GEO_API_URL',
      'JOB_ENCRYPTION_KEY',
      'LOG_LEVEL',
      'TASK_CALLBACK_API_KEY',
      'TOKEN_ISSUSERS',
      'VOIP_API_URL',
    ]);
  });
});

const timeOf = (line: string): string | undefined => /^\[[\d.: -]+\]/.exec(line)?.[0];

/**
 * Expects the command of `deploy/log-events.md` to print the lines of a job in the order of time, from two files of
 * which the first one holds the last line.
 */
async function expectToBeFollowed(jobId: string, log: string): Promise<void> {
  const page = readFileSync(path.join(ROOT, 'deploy/log-events.md'), 'utf8');
  const [command = ''] = /^grep -h JOB_ID .+$/m.exec(page) ?? [];
  const lines = log.split('\n');
  const logged = lines.filter((line) => line.includes(jobId));
  const last = lines.lastIndexOf(logged.at(-1) ?? '');
  const { path: cwd } = closeAfterTest(await temporaryDirectory());
  await writeFile(path.join(cwd, 'a.log'), lines.slice(last).join('\n'));
  await writeFile(path.join(cwd, 'b.log'), `${lines.slice(0, last).join('\n')}\n`);
  const printed = execFileSync('sh', ['-c', command.replace('JOB_ID', jobId)], { cwd, encoding: 'utf8' });
  const followed = printed.trimEnd().split('\n');
  expect(logged.length).toBeGreaterThan(1);
  expect(followed.toSorted()).toEqual(logged.toSorted());
  // The order within a millisecond is that of the files.
  expect(followed.map(timeOf)).toEqual(logged.map(timeOf));
}

it('Development needs no configuration, and prints playground, logins and callback key', async () => {
  const { path: directory } = closeAfterTest(await temporaryDirectory());
  const gateway = closeAfterTest(await programs.startGateway({ DATA_DIR: directory }));
  await waitFor('the welcome', async () => (await gateway.output()).includes('demo / demo-password'));
  const [, url = ''] = /Playground +(\S+)\/playground/.exec(await gateway.output()) ?? [];
  expect(await gateway.output()).toContain('Callback key  development-callback-key');
  expect((await fetch(`${url}/playground`)).status).toBe(200);
  const version = await graphqlAt(url)('query Version { serviceVersion }');
  expect(version.text).toMatch(/"serviceVersion":"\d+\.\d+\.\d+"/);
  const line = await waitFor('the request in the log', async () => /^.*POST.*$/m.exec(await gateway.output())?.[0]);
  expect(line).toMatch(
    /^\[[\d-]{5} [\d:.]{12}\] INFO: request\.handled POST \/graphql Version \(serviceVersion\) 200 (in \d+ ms )?\{"requestId":"\S{36}"\}$/,
  );
  // On the terminal that is narrowest, two lines at most.
  expect(line.length).toBeLessThanOrEqual(160);
  const headers = { 'x-api-key': 'development-callback-key', ...jobHeaders('job-of-the-log') };
  await postJson(`${url}${MOBILES}`, [], headers);
  const handled = /request\.handled.*job-of-the-log/;
  await waitFor('the job in the log', async () => handled.test(await gateway.output()));
  await expectToBeFollowed('job-of-the-log', await gateway.output());
  gateway.signal('SIGINT');
  expect(await exitCodeOf(gateway)).toBe(0);
});

describe('a signal', () => {
  it.each(['SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('ends a gateway in order: %s', async (signal) => {
    const gateway = await startProduction();
    gateway.signal(signal);
    expect([await exitCodeOf(gateway), await strayLines(gateway)]).toEqual([0, []]);
    expect(await gateway.output()).toContain('program.stopped');
  });

  it.each(['SIGUSR1', 'SIGUSR2'] as const)('%s lets a gateway go on, without an inspector', async (signal) => {
    // The first one comes while the configuration is read.
    const early = `process.env = new Proxy(process.env, {
      get: (all, name) => (name === 'PORT' && process.kill(process.pid, '${signal}'), all[name]) });`;
    const gateway = await startProduction({
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(early)}`,
    });
    gateway.signal(signal);
    expect((await graphqlAt(gateway.url)('{ serviceVersion }')).status).toBe(200);
    gateway.signal('SIGTERM');
    expect([await exitCodeOf(gateway), await strayLines(gateway)]).toEqual([0, []]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('that `npm start` gets ends its gateway as well: %s', async (signal) => {
    const [port = 0] = await freePorts(1);
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: programs.directory,
      env: { ...process.env, NODE_OPTIONS: '', ...production(), PORT: String(port) },
      stdio: 'ignore',
    });
    const ended = once(npm, 'exit');
    await waitFor('the gateway to listen', () => accepts(port));
    npm.kill(signal);
    await ended;
    await waitFor('its port to be closed', async () => !(await accepts(port)));
  });
});

it('A gateway whose file descriptors are used up names their limit, counts them, and serves again afterwards', async () => {
  const limit = 240;
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const main = path.join(programs.directory, ...MAIN);
  const gateway = await startProgram('bash', {
    args: ['-c', `ulimit -n ${limit} && exec "$0" "$1"`, process.execPath, main],
    logFile: path.join(dataDir.path, 'descriptors.log'),
    env: { ...production(), NODE_OPTIONS: '', PORT: String(port), METRICS_PORT: String(metricsPort) },
  });
  closeAfterTest(gateway);
  const url = `http://127.0.0.1:${port}`;
  await waitFor('readiness', () => succeeds(fetch(`${url}/health/live`)));
  const clients = Array.from({ length: limit }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await waitFor('the line', async () => /"limit":240,.*descriptors_used_up/.test(await gateway.output()));
  // A quarter is left to what clients do not use.
  const held = await scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(held.value('process_open_fds')).toBeLessThan(limit);
  for (const client of clients) client.destroy();
  await waitFor('an answer', () => succeeds(fetch(`${url}/health/live`)));
  const scraped = await scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(scraped.value('process_max_fds')).toBe(limit);
  expect(scraped.value('process_open_fds')).toBeLessThan(limit);
  expect(scraped.value('gateway_log_events_total', { event: 'process.descriptors_used_up', level: 'error' })).toBe(1);
});

/** CommonJS: at SIGUSR2 a program opens files until `free` descriptors are left, and closes them at SIGWINCH. */
const useUpDescriptors = (free: number): string => `
  const { closeSync, openSync, writeSync } = require('node:fs');
  const held = [];
  const closeFrom = (index) => held.splice(index).forEach((descriptor) => closeSync(descriptor));
  if (require('node:worker_threads').isMainThread) {
    process.on('SIGUSR2', () => {
      closeFrom(0);
      try { for (;;) held.push(openSync('/dev/null')); } catch {}
      closeFrom(-${free});
      writeSync(1, 'opened\\n');
    });
    process.on('SIGWINCH', () => {
      closeFrom(0);
      writeSync(1, 'closed\\n');
    });
  }`;

it('A gateway without descriptors for a drawing thread lets reports wait, goes on, and draws once it has them', async () => {
  const hook = path.join(dataDir.path, 'use-up.cjs');
  await writeFile(hook, useUpDescriptors(4));
  const [port = 0] = await freePorts(1);
  const gateway = await startProgram('bash', {
    args: ['-c', `ulimit -n 150 && exec "$0" "$1"`, process.execPath, path.join(programs.directory, ...MAIN)],
    logFile: path.join(dataDir.path, 'no-thread.log'),
    env: { ...production(), NODE_OPTIONS: `--require=${hook}`, PORT: String(port) },
  });
  closeAfterTest(gateway);
  const url = `http://127.0.0.1:${port}`;
  await waitFor('readiness', () => succeeds(fetch(`${url}/health/live`)));
  const order = async (): Promise<number> =>
    (await callBack(`${url}${DRIVING_REPORT}`, reportOf(1), jobHeaders('descriptors'))).status;
  const timesUsedUp = async (): Promise<number> => (await gateway.output()).split('opened').length;
  await waitFor('the line', async () => {
    // A thread that cannot start may leave descriptors of Node.js open, which the next report would lack.
    const before = await timesUsedUp();
    gateway.signal('SIGUSR2');
    await waitFor('the descriptors to be used up', async () => (await timesUsedUp()) > before);
    expect(await order()).toBe(503);
    return /report\.drawing_stuck/.test(await gateway.output());
  });
  gateway.signal('SIGWINCH');
  await waitFor('them to be closed', async () => (await gateway.output()).includes('closed'));
  expect(await order()).toBe(200);
  gateway.signal('SIGTERM');
  expect(await exitCodeOf(gateway)).toBe(0);
});

it('A gateway whose drawing thread cannot start lets reports wait, says to restart, and draws once it can', async () => {
  const copy = await mkdtemp(`${programs.directory}-`);
  closeAfterTest({ close: () => rm(copy, { recursive: true }) });
  await cp(programs.directory, copy, { recursive: true });
  const [metricsPort = 0] = await freePorts(1);
  const gateway = await startProduction(
    { METRICS_PORT: String(metricsPort) },
    closeAfterTest(await BuiltPrograms.open(copy)),
  );
  const dist = path.join(copy, 'dist');
  const files = (await readdir(dist)).filter((name) => /^worker-.*\.js$/.test(name));
  expect(files).toHaveLength(1);
  const replace = (from: string, to: string): Promise<unknown> =>
    Promise.all(files.map((name) => rename(path.join(dist, `${name}${from}`), path.join(dist, `${name}${to}`))));
  const order = (): Promise<Response> => callBack(`${gateway.url}${DRIVING_REPORT}`, reportOf(1), jobHeaders('report'));
  await replace('', '.old');
  for (let start = 1; start <= 3; start += 1) {
    expect((await gateway.output()).includes('report.drawing_stuck')).toBe(false);
    const reply = await order();
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
  }
  const output = await waitFor('the line', async () => /.*report\.drawing_stuck.*/.exec(await gateway.output())?.[0]);
  expect(output).toMatch(/"reason":"the report renderer: .*worker-/);
  const scraped = await scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(scraped.value('gateway_report_start_failures_total')).toBe(3);
  expect(await readiness(gateway.url)).toBe('200 OK OK');
  await replace('.old', '');
  expect((await order()).status).toBe(200);
  gateway.signal('SIGTERM');
  expect(await exitCodeOf(gateway)).toBe(0);
});

describe('SIGTERM', () => {
  it('makes readiness fail first while everything else goes on, then lets requests under way end', async () => {
    const gateway = await startProduction({ SHUTDOWN_DELAY_SECONDS: '6', SHUTDOWN_DRAIN_SECONDS: '3600' });
    await waitFor('readiness', async () => (await readiness(gateway.url)) === '200 OK OK');
    const held = sandbox.faults.hold({ operation: 'getMobile' });
    const asking = askForMobile(gateway.url);
    await held.held();
    const signalledAt = performance.now();
    gateway.signal('SIGTERM');
    await waitFor('readiness to fail', async () => (await readiness(gateway.url)) === '503 NG DRAINING');
    const [live, query] = await Promise.all([
      fetch(`${gateway.url}/health/live`),
      graphqlAt(gateway.url)('{ serviceVersion }'),
    ]);
    expect([live.status, live.headers.get('connection'), query.status]).toEqual([200, 'close', 200]);
    await waitFor('the port to be closed', async () => !(await accepts(Number(new URL(gateway.url).port))));
    expect(performance.now() - signalledAt).toBeGreaterThan(5_900);
    expect(gateway.isRunning()).toBe(true);

    held.release();
    expect(await asking).toBe('{"data":{"mobile":{"id":"1"}}}');
    // It does not wait for connections that are kept alive.
    expect([await exitCodeOf(gateway), await strayLines(gateway)]).toEqual([0, []]);
  });

  it('harms no other client when one goes on asking on a connection that closes, and ends at once the second time', async () => {
    const gateway = await startProduction({ SHUTDOWN_DELAY_SECONDS: '600' });
    gateway.signal('SIGTERM');
    await waitFor('readiness to fail', async () => (await readiness(gateway.url)) === '503 NG DRAINING');
    const body = '{"query":"{ serviceVersion }"}';
    const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    const operation = (padding = ''): string =>
      [...head, `Padding: ${padding}`, `Content-Length: ${body.length}`, '', body].join('\r\n');
    // More than is read from a connection at a time, so that some of it comes while the connection closes.
    const requests = operation() + operation('x'.repeat(1_300)).repeat(50) + operation().repeat(20);
    for (let turn = 0; turn < 40; turn += 1) {
      expect((await converse(gateway.url, requests)).statuses.length).toBeLessThanOrEqual(1);
    }
    expect((await graphqlAt(gateway.url)('{ serviceVersion }')).status).toBe(200);
    expect(await strayLines(gateway)).toEqual([]);
    gateway.signal('SIGTERM');
    expect(await exitCodeOf(gateway)).toBe(1);
  });
});

describe('production', () => {
  const required = (): string => path.join(dataDir.path, 'required-modules.txt');
  const image = forAllTests(async () => BuiltPrograms.open(await buildPrograms('--image')));
  const gateway = forAllTests(async () => {
    const hook = path.join(dataDir.path, 'required-modules.cjs');
    await writeFile(hook, noteRequiredModules(required()));
    return startProduction({ NODE_OPTIONS: `--require=${hook}` }, image);
  });
  const ask = async (query: string): Promise<string> => (await graphqlAt(gateway.url)(query)).text;

  it('goes without the sandbox being there', async () => {
    expect(await askForMobile(gateway.url)).toBe('{"data":{"mobile":{"id":"1"}}}');
  });

  it('has no playground and no introspection, and refuses sendTestOtp', async () => {
    expect((await fetch(`${gateway.url}/playground`)).status).toBe(404);
    for (const query of [getIntrospectionQuery(), '{ __type(name: "Query") { name } }']) {
      const text = await ask(query);
      expect(text.match(/"message"/g)).toHaveLength(1);
      expect(text).toContain('"reason":"IntrospectionOff"');
      expect(text).toContain('"code":"BadInput"');
      expect(text).not.toContain('"data"');
    }
    const extensions = { code: 'Forbidden', status: 403, path: ['sendTestOtp'] };
    const refused = JSON.parse(await ask('mutation { sendTestOtp(loginId: "otp") { sentTo } }')) as unknown;
    expect(refused).toMatchObject({ data: { sendTestOtp: null }, errors: [{ extensions }] });
    expect(sandbox.journal.requests({ operation: 'sendTestOtp' })).toEqual([]);
  });

  it('starts its drawing thread at the first report, by import: Node aborts when a thread is ended within require', async () => {
    await expect(readFile(required())).rejects.toThrow('ENOENT');
    const reply = await callBack(`${gateway.url}${DRIVING_REPORT}`, reportOf(1), { 'x-org-id': 'acme' });
    expect(await reply.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
    expect(await readFile(required(), 'utf8')).toBe('ERR_REQUIRE_ESM');
  });
});
