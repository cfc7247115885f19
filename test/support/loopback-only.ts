import net from 'node:net';
import dns from 'node:dns';

/**
 * Refuses every connection and every name look-up that leaves this machine, so that no test can come to
 * depend on the network. Unix sockets and the loopback range stay open.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

// Called with the socket it was taken from, below.
// oxlint-disable-next-line typescript/unbound-method
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
  // `net.connect` passes its arguments on as one normalised array.
  const first: unknown = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  const host = hostOf(first, args[1]);
  if (host !== undefined && !LOOPBACK.test(host)) throw new Error(`test tried to leave the machine: ${host}`);
  return Reflect.apply(connect, this, args) as net.Socket;
};

const lookup = dns.lookup;
// The overloads of dns.lookup cannot be restated here; only the first argument is looked at.
dns.lookup = new Proxy(lookup, {
  apply(target, self, args: unknown[]) {
    if (typeof args[0] === 'string' && !LOOPBACK.test(args[0])) {
      throw new Error(`test tried to look up ${args[0]}`);
    }
    return Reflect.apply(target, self, args) as unknown;
  },
});

function hostOf(target: unknown, second: unknown): string | undefined {
  if (typeof target === 'object' && target !== null) {
    if ('path' in target && typeof target.path === 'string') return undefined;
    return 'host' in target && typeof target.host === 'string' ? target.host : 'localhost';
  }
  if (typeof target === 'number') return typeof second === 'string' ? second : 'localhost';
  return undefined;
}
