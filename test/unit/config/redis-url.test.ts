import { describe, expect, it } from '@jest/globals';
import { hasRedisPassword, parseRedisUrl, withRedisPassword } from '../../../src/base/config/redis-url.js';

const NO_USER = { username: undefined, password: undefined };

describe('A text that names Redis servers', () => {
  const PLAIN = { kind: 'single', host: 'redis', port: 6379, database: 0, tls: false, ...NO_USER };

  it.each([
    ['redis://redis', PLAIN],
    ['redis://redis/', PLAIN],
    [
      'rediss://user:pa%2Fss@redis:6380/1',
      { ...PLAIN, port: 6380, database: 1, tls: true, username: 'user', password: 'pa/ss' },
    ],
    ['redis://:with,comma@redis:6379', { ...PLAIN, password: 'with,comma' }],
    ['redis://[::1]:6379/0', { ...PLAIN, host: '::1' }],
  ])('may be one URL: %s', (url, servers) => expect(parseRedisUrl(url)).toEqual(servers));

  it('may be several URLs, which are nodes of a Cluster', () => {
    expect(parseRedisUrl('redis://one:7000 , redis://two,redis://[::1]:7002/0')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      tls: false,
      ...NO_USER,
    });
  });

  it('may name user and password of a Cluster once or every time', () => {
    const login = { username: 'u', password: 'a,b/c@d' };
    const secret = encodeURIComponent(login.password);
    for (const url of [`rediss://u:${secret}@one,rediss://two`, `rediss://u:${secret}@one,rediss://u:${secret}@two`]) {
      expect(parseRedisUrl(url)).toMatchObject({ kind: 'cluster', tls: true, ...login });
    }
  });

  it('may name sentinels and what they call the primary', () => {
    expect(parseRedisUrl('redis+sentinel://one:5000,two,[::1]:5002/primary')).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 5000 },
        { host: 'two', port: 26379 },
        { host: '::1', port: 5002 },
      ],
      name: 'primary',
      database: 0,
      sentinelAuth: false,
      tls: false,
      ...NO_USER,
    });
    expect(parseRedisUrl('rediss+sentinel://u:p%2Fw@one/my%20primary/3?sentinelAuth=true')).toMatchObject({
      sentinels: [{ host: 'one', port: 26379 }],
      name: 'my primary',
      database: 3,
      sentinelAuth: true,
      tls: true,
      username: 'u',
      password: 'p/w',
    });
  });

  it.each([
    ['redis.internal:6379', /must be a redis: or rediss: URL/],
    ['redis://', /must be a redis: or rediss: URL/],
    ['redis://redis:port', /must be a redis: or rediss: URL/],
    ['http://secret@redis', /must be a redis: or rediss: URL/],
    ['redis://:secret@one,http://two', /must be a redis: or rediss: URL/],
    ['redis://one:7000,two:7001', /several hosts in one URL/],
    ['redis://:secret@one,', /several hosts in one URL/],
    ['redis://redis/first', /a number as its database, behind the port/],
    ['redis://redis/1/2', /a number as its database/],
    ['redis://redis/-1', /a number as its database/],
    ['redis://redis/0?family=6', /has an option/],
    ['redis://redis?db=secret', /has an option/],
    ['redis://redis#secret', /has an option/],
    ['redis://one,redis+sentinel://two/primary', /mixes forms/],
    ['redis+sentinel://one/primary,redis+sentinel://two/primary', /mixes forms/],
    ['redis://one,rediss://two', /mixes redis: and rediss:/],
    ['redis://one/1,redis://two/1', /no databases but 0/],
    ['redis://one?family=6,redis://two', /no options/],
    ['redis://:secret@one,redis://:other-secret@two', /different users or passwords/],
    ['redis://:secret%@one,redis://two', /% that encodes nothing/],
    ['redis+sentinel://one:26379', /lacks the name/],
    ['redis+sentinel://:secret@one,two/', /lacks the name/],
    ['redis+sentinel://one/primary/first', /a number as its database/],
    ['redis+sentinel://one/primary?password=secret', /option that is not known/],
    ['redis+sentinel://one:port/primary', /must be a redis: or rediss: URL/],
    ['redis+sentinel:///primary', /must be a redis: or rediss: URL/],
    ['redis+sentinel://u:secret@one,u:secret@two/primary', /must be a redis: or rediss: URL/],
  ])('is refused with what is wrong, and not repeated: %s', (text, fault) => {
    expect(() => parseRedisUrl(text)).toThrow(fault);
    expect(() => parseRedisUrl(text)).not.toThrow(/secret/);
  });

  it.each([
    ['redis://redis', 'redis://:p%2Cw%40@redis'],
    ['redis://user@redis:6379/1', 'redis://user:p%2Cw%40@redis:6379/1'],
    ['redis://one, redis://user@two', 'redis://:p%2Cw%40@one,redis://user:p%2Cw%40@two'],
    ['rediss+sentinel://one,two/primary', 'rediss+sentinel://:p%2Cw%40@one,two/primary'],
  ])('takes a password that stands elsewhere: %s', (text, complete) => {
    expect([hasRedisPassword(text), withRedisPassword(text, 'p,w@')]).toEqual([false, complete]);
    expect(hasRedisPassword(complete)).toBe(true);
  });
});
