/** Refusals before the end of a body: the connection then serves the next request, or is closed in order. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { accepts, freePorts, startProgram } from '../support/child-program.js';
import { CALLBACK_PATHS } from '../../src/jobs/record/job-kinds.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const JSON_TYPE = 'content-type: application/json';
const KEY = `x-api-key: ${PRODUCTION_ENVIRONMENT['TASK_CALLBACK_API_KEY']}`;
const CALLBACK = `POST ${CALLBACK_PATHS['user-accounts']}`;

/** Refusals: a description, method and path, and headers. */
const REFUSALS: readonly (readonly [called: string, target: string, headers: readonly string[]])[] = [
  ['a field without a token', 'POST /graphql', [JSON_TYPE]],
  ['another content type', 'POST /graphql', ['content-type: text/plain']],
  ['a coded body', 'POST /graphql', [JSON_TYPE, 'content-encoding: gzip']],
  ['an answer that is no JSON', 'POST /graphql', [JSON_TYPE, 'accept: text/event-stream']],
  ['two tokens', 'POST /graphql', [JSON_TYPE, 'authorization: Bearer a', 'authorization: Bearer b']],
  ['another method', 'PUT /graphql', [JSON_TYPE]],
  ['a method that is not known', 'PROPFIND /graphql', [JSON_TYPE]],
  ['a route that does not exist', 'POST /nowhere', [JSON_TYPE]],
  ['a method of another route', 'POST /health/live', [JSON_TYPE]],
  ['a callback without a key', CALLBACK, [JSON_TYPE]],
  ['a callback of another content type', CALLBACK, [KEY, 'content-type: text/plain']],
  ['a callback with a header that is wrong', CALLBACK, [KEY, JSON_TYPE, 'x-job-id: /']],
  ['a callback whose body is wrong', CALLBACK, [KEY, JSON_TYPE]],
];

const SIZES = [1_000, 2_200_000, 6_000_000];

const GOOD = request('GET /health/live', []);

function request(target: string, headers: readonly string[], body = ''): string {
  return [`${target} HTTP/1.1`, 'host: localhost', ...headers, '', body].join('\r\n');
}

function bodyOf(size: number): string {
  const text = '{"query":"{ me { Org } }","padding":""}';
  return text.replace('""', `"${'x'.repeat(size - text.length)}"`);
}

/** Writes a whole request, and reads one answer, of which the length is known. @throws {Error} it does not come whole */
async function exchange(socket: net.Socket, bytes: string): Promise<{ status: number; closes: boolean }> {
  return new Promise((resolve, reject) => {
    let received = '';
    const settle = (act: () => void): void => {
      socket.removeAllListeners().on('error', () => undefined);
      act();
    };
    const fail = (why: string): void => settle(() => reject(new Error(`${why} after ${received.length} bytes`)));
    socket.setTimeout(8_000, () => fail('silence'));
    socket.on('error', ({ message }) => fail(message));
    socket.on('close', () => fail('closed'));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const [head = '', body] = received.split('\r\n\r\n', 2);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
      settle(() => resolve({ status, closes: /^connection: close/im.test(head) }));
    });
    socket.write(bytes, 'latin1');
  });
}

async function connect(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', reject).once('connect', () => resolve(socket.removeAllListeners()));
  });
}

/** Sends a refused body, and then a good request: over the same connection, unless it was said to close. */
async function statusesOf(port: number, refused: string): Promise<readonly number[]> {
  let socket = await connect(port);
  try {
    const first = await exchange(socket, refused);
    if (first.closes) {
      socket.destroy();
      socket = await connect(port);
    }
    const { status } = await exchange(socket, GOOD);
    return [first.status, status];
  } finally {
    socket.destroy();
  }
}

describeWith(['haproxy', 'nginx'], 'a body that is refused', () => {
  const gateway = forAllTests(() => startTestGateway({}, { production: true }));
  const directory = forAllTests(temporaryDirectory);
  const ports = forAllTests(async () => {
    const [haproxy = 0, nginx = 0] = await freePorts(2);
    return { direct: Number(new URL(gateway.url).port), haproxy, nginx };
  });
  forAllTests(() => startProxy('haproxy', 'haproxy.cfg', haproxyConfig(), (file) => ['-f', file]));
  forAllTests(() => startProxy('nginx', 'nginx.conf', nginxConfig(), (file) => ['-c', file, '-p', directory.path]));

  async function startProxy(name: 'haproxy' | 'nginx', called: string, text: string, args: (file: string) => string[]) {
    const file = path.join(directory.path, called);
    await writeFile(file, text);
    const program = await startProgram(name, { args: args(file), logFile: path.join(directory.path, `${name}.log`) });
    await waitFor(name, () => accepts(ports[name]));
    await waitFor('a gateway behind it', async () => (await fetch(`http://127.0.0.1:${ports[name]}/health/live`)).ok);
    return { close: () => program.stop() };
  }

  /** The file of the deployment, with one gateway that is on this machine. */
  function haproxyConfig(): string {
    return readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
      .replace('bind :8080', `bind 127.0.0.1:${ports.haproxy}`)
      .replace(/^resolvers compose\n(?: .*\n)*/m, '')
      .replace(' resolvers compose init-addr none', '')
      .replace(/server-template .*/, `server gateway 127.0.0.1:${ports.direct}`);
  }

  function nginxConfig(): string {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = kinds.map((kind) => `${kind}_temp_path ${directory.path}/${kind};`).join(' ');
    return `daemon off; error_log stderr; pid ${directory.path}/nginx.pid; events {}
http { access_log off; ${temporary}
  upstream gateways { server 127.0.0.1:${ports.direct}; keepalive 8; }
  server { listen 127.0.0.1:${ports.nginx}; client_max_body_size 16m; client_body_buffer_size 8m;
    location / { proxy_pass http://gateways; proxy_http_version 1.1; proxy_set_header Connection "";
      } } }\n`;
  }

  const cases = (['direct', 'haproxy', 'nginx'] as const).flatMap((front) =>
    REFUSALS.map(([called, target, headers]) => ({ front, called, target, headers })),
  );

  it.each(cases)('leaves no dead connection: $called, $front', async ({ front, target, headers }) => {
    const outcomes: Record<string, unknown> = {};
    for (const size of SIZES) {
      const body = bodyOf(size);
      const declared = request(target, [...headers, `content-length: ${size}`], body);
      const chunk = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const chunked = request(target, [...headers, 'transfer-encoding: chunked'], chunk);
      for (const [form, bytes] of Object.entries({ declared, chunked })) {
        const statuses = await statusesOf(ports[front], bytes).catch(String);
        outcomes[`${form} ${size}`] = statuses;
        // Several, because a proxy has several connections to the gateway.
        for (let next = 0; next < 3; next += 1) {
          const socket = closeAfterTest(await connect(ports[front]), (it) => it.destroy());
          expect(await exchange(socket, GOOD)).toMatchObject({ status: 200 });
        }
      }
    }
    const wrong = Object.entries(outcomes).filter(([, statuses]) => !/^(?:4\d\d|501|200),200$/.test(String(statuses)));
    expect(wrong).toEqual([]);
  });
});
