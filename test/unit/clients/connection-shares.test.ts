import { describe, expect, it } from '@jest/globals';
import { ConnectionShares } from '../../../src/clients/connection-shares.js';

const never = (): void => undefined;

/** Asks for connections and says how many were had at once. */
async function take(
  shares: ConnectionShares,
  party: string | readonly string[],
  count: number,
): Promise<(() => void)[]> {
  const had: (() => void)[] = [];
  for (let each = 0; each < count; each += 1) {
    void shares.acquire([party].flat(), never).then(
      (giveBack) => had.push(giveBack),
      () => undefined,
    );
  }
  await settled();
  return had;
}

/** Lets everything that can go on go on. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a party', () => {
  it('alone gets half of the connections, so that the next one finds some', async () => {
    const shares = new ConnectionShares({ connections: 128, maxWaiting: 1_000, fair: true });
    expect(await take(shares, 'acme', 200)).toHaveLength(64);
    expect(await take(shares, 'globex', 200)).toHaveLength(32);
    expect(await take(shares, 'initech', 200)).toHaveLength(16);
    expect(await take(shares, 'umbrella', 1)).toHaveLength(1);
  });

  it('within another shares what that may have, so that its networks leave some to each other', async () => {
    const shares = new ConnectionShares({ connections: 32, maxWaiting: 1_000, fair: true });
    const had = async (...path: string[]): Promise<number> => (await take(shares, path, 100)).length;
    expect([
      await had('/48', '/56', '/64'),
      await had('/48', '/56', 'another'),
      await had('/48', 'other', '/64'),
    ]).toEqual([4, 2, 3]);
    expect([await had('192.0.2.1'), await had('192.0.2.2')]).toEqual([12, 6]);
  });

  it('within another takes turns with those beside it, and that with others', async () => {
    const shares = new ConnectionShares({ connections: 1, maxWaiting: 100, fair: true });
    const order: string[] = [];
    const use = async (path: string): Promise<void> => {
      const done = await shares.acquire(path.split(' '), never);
      order.push(path);
      await settled();
      done();
    };
    await Promise.all(['/48 a', '/48 a', '/48 b', '/48 b', 'office', 'office', 'office'].map(use));
    expect(order).toEqual(['/48 a', 'office', '/48 b', 'office', '/48 a', 'office', '/48 b']);
  });

  it('gets all of them where shares are not kept for others', async () => {
    const shares = new ConnectionShares({ connections: 4, maxWaiting: 10, fair: false });
    expect(await take(shares, '', 5)).toHaveLength(4);
  });

  it('gets a connection that is given back, first come first served', async () => {
    const shares = new ConnectionShares({ connections: 2, maxWaiting: 100, fair: true });
    const order: string[] = [];
    const [giveBack] = await take(shares, 'acme', 1);
    const waiting = ['first', 'second'].map(async (name) => {
      const done = await shares.acquire(['acme'], never);
      order.push(name);
      done();
    });
    await settled();
    expect(order).toEqual([]);
    giveBack?.();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
  });

  it('takes turns with others that wait', async () => {
    const shares = new ConnectionShares({ connections: 1, maxWaiting: 100, fair: true });
    const order: string[] = [];
    const use = async (party: string): Promise<void> => {
      const done = await shares.acquire([party], never);
      order.push(party);
      await settled();
      done();
    };
    await Promise.all(['acme', 'acme', 'acme', 'globex', 'globex', 'initech'].map(use));
    expect(order).toEqual(['acme', 'globex', 'initech', 'acme', 'globex', 'acme']);
  });

  it('that waits can leave its place at once', async () => {
    const shares = new ConnectionShares({ connections: 2, maxWaiting: 1, fair: true });
    const [giveBack] = await take(shares, 'acme', 1);
    let leave: (reason: Error) => void = never;
    const waiting = shares.acquire(['acme'], (given) => (leave = given));
    await expect(shares.acquire(['acme'], never)).rejects.toThrow('calls wait for a connection already');
    leave(new Error('too late'));
    await expect(waiting).rejects.toThrow('too late');
    const next = shares.acquire(['acme'], (given) => (leave = given));
    giveBack?.();
    await expect(next).resolves.toBeInstanceOf(Function);
    leave(new Error('too late'));
    expect(shares.use).toEqual({ max: 2, inUse: 1, waiting: 0 });
  });
});

it('the queue has a bound, and keeps places for those who come later', async () => {
  const shares = new ConnectionShares({ connections: 2, maxWaiting: 8, fair: true });
  await take(shares, 'acme', 1 + 4);
  await expect(shares.acquire(['acme'], never)).rejects.toThrow('4 calls wait for a connection already');
  expect(await take(shares, 'globex', 1)).toHaveLength(1);
  const places = await Promise.all(
    [1, 2, 3].map(() =>
      Promise.race([
        shares.acquire(['globex'], never).then(
          () => 'had',
          () => 'refused',
        ),
        settled().then(() => 'waits'),
      ]),
    ),
  );
  expect(places).toEqual(['waits', 'waits', 'refused']);
});
