import { expect, it } from '@jest/globals';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { describeWith } from '../support/system-tools.js';
import { LIMIT_MS, survivesFailover } from './redis-failover.js';

describeWith(['redis-server'], 'A Redis behind sentinels', () => {
  const site = survivesFailover(() => startRedisSentinels({ password: 'of the, sentinels' }));

  it(
    'is one that every check finds good afterwards',
    async () => {
      expect(await site().run('dist/main.js', '--check-config')).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );
});
