import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';

describe('closing', () => {
  it('does not wait for a connection that has never sent a request', async () => {
    const gateway = await startTestGateway({ SHUTDOWN_DRAIN_SECONDS: '60' });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    await gateway.close();
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
