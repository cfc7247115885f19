import { describe, expect, it } from '@jest/globals';
import { regionOf } from '../../../src/jobs/engines/sqs/queue-client.js';

describe('The region that requests are signed for', () => {
  it.each([
    ['https://sqs.eu-central-1.amazonaws.com/123456789012/jobs', 'eu-central-1'],
    ['https://sqs-fips.us-gov-west-1.amazonaws.com/123456789012/jobs', 'us-gov-west-1'],
    ['https://sqs.cn-north-1.amazonaws.com.cn/123456789012/jobs', 'cn-north-1'],
    ['https://vpce-0a1b-c2d3.sqs.ap-northeast-1.vpce.amazonaws.com/123456789012/jobs', 'ap-northeast-1'],
    ['https://eu-west-1.queue.amazonaws.com/123456789012/jobs', 'eu-west-1'],
    ['https://queue.amazonaws.com/123456789012/jobs', 'us-east-1'],
    ['http://127.0.0.1:4566/000000000000/jobs', undefined],
  ])('of %s is %s', (url, region) => expect(regionOf(url)).toBe(region));
});
