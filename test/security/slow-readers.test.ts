/** A client that does not read its reply holds little of the gateway, and not for long. */
import { once } from 'node:events';
import { readdir, readlink, truncate } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';
import { converse } from '../support/raw-conversation.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { pollJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

/** More than the buffers of two sockets hold. */
const FILE_BYTES = 64 * 1024 * 1024;
const TIMEOUT_SECONDS = 2;
const CONNECTIONS = 12;
const PIPELINED = 100;

const gateway = forAllTests(() => startTestGateway({ REQUEST_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) }));
let download: string;

beforeAll(async () => {
  const report = { date: '2026-11-19T00:00:00Z', drivers: [] };
  await gateway.callback(DRIVING_REPORT, report, jobHeaders('large'));
  const { key, downloadUrl } = await pollJob(gateway, 'reports', 'large');
  const files = await readdir(gateway.dataDir, { recursive: true });
  const [file = ''] = files.filter((name) => name.endsWith(path.basename(key ?? '')));
  await truncate(path.join(gateway.dataDir, file), FILE_BYTES);
  const { pathname, search } = new URL(downloadUrl ?? '');
  download = `${pathname}${search}`;
});

/** Objects that are open in this process, which the gateway runs in. */
async function openObjects(): Promise<number> {
  const handles = await readdir('/proc/self/fd');
  const files = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return files.filter((file) => file.startsWith(path.join(gateway.dataDir, 'objects/objects'))).length;
}

function get(target: string, more = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: x.localhost\r\n${more}\r\n`;
}

/** A connection that sends requests and reads nothing. */
async function connect(requests: string): Promise<net.Socket> {
  const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1');
  closeAfterTest(socket, (opened) => opened.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(requests);
  return socket;
}

describe('connections that pipeline downloads and never read', () => {
  it('hold one open object each, and none once the time-out is over', async () => {
    const most: number[] = [];
    await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(get(download).repeat(PIPELINED))));
    await waitFor('the first downloads to begin', async () => (await openObjects()) > 0);
    await waitFor('the last one to be cut', async () => {
      const open = await openObjects();
      most.push(open);
      return open === 0;
    });
    expect(Math.max(...most)).toBeLessThanOrEqual(CONNECTIONS);
    expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
  });

  it('have nothing done for them once they are gone', async () => {
    const since = gateway.logged().length;
    const socket = await connect(get(download).repeat(PIPELINED));
    await waitFor('the first download to begin', async () => (await openObjects()) === 1);
    socket.destroy();
    await waitFor('it to be closed', async () => (await openObjects()) === 0);
    const downloads = gateway
      .logged()
      .slice(since)
      .split(/"event":"request\.(?:handled|cut_short)"/);
    expect(downloads.length - 1).toBeLessThanOrEqual(1);
  });
});

describe('a connection', () => {
  it('that has more than 100 requests waiting is closed', async () => {
    const socket = await connect(get(download) + get('/health/live').repeat(101));
    socket.resume();
    await once(socket, 'close');
    expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
  });

  it('gets the replies to what it pipelines in the order of the requests', async () => {
    const targets = ['/health/live', '/none', '/health/ready', '/graphql', '/none'];
    const requests = targets.map((target) => get(target)).join('') + get('/health/live', 'Connection: close\r\n');
    expect((await converse(gateway.url, requests)).statuses).toEqual([200, 404, 200, 400, 404, 200]);
  });

  it('that reads slowly but steadily gets all of it', async () => {
    const socket = await connect(get(download, 'Connection: close\r\n'));
    const startedAt = performance.now();
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const isSlow = performance.now() - startedAt < 3 * TIMEOUT_SECONDS * 1_000;
      // A few MB a second, which is more than the operating system keeps to itself.
      if (!isSlow || bytes % (512 * 1024) > 128 * 1024) return;
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    socket.resume();
    await once(socket, 'close');
    expect(performance.now() - startedAt).toBeGreaterThan(2 * TIMEOUT_SECONDS * 1_000);
    expect(bytes).toBeGreaterThan(FILE_BYTES);
  });

  it('that waits for a reply for longer than the time-out still gets it', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const reply = gateway.callback('/api/v1/Mobile/BulkUpdateCallback', [{ id: 1, name: 'x' }], jobHeaders('long'));
    await held.held();
    await new Promise((resolve) => setTimeout(resolve, 1.5 * TIMEOUT_SECONDS * 1_000));
    held.release();
    expect((await reply).status).toBe(200);
  });
});
