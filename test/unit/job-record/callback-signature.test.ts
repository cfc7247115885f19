import { describe, expect, it } from '@jest/globals';
import { signingSecretOf, signCallback } from '../../../src/job-record/callback-signature.js';

/** The example that Standard Webhooks publishes for senders and receivers. */
const SECRET = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const SIGNED = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const BODY = '{"test": 2432232314}';

describe('the signature of a callback', () => {
  it('is that of Standard Webhooks', () => {
    expect(signingSecretOf([SECRET], SIGNED, Buffer.from(BODY))).toBe(0);
    expect(signingSecretOf([SECRET], SIGNED, Buffer.from(BODY.replace(' ', '')))).toBe(-1);
  });

  it('is over the bytes of the body in UTF-8, whatever they are', () => {
    const body = '[{"name":"株式会社"}]';
    const signed = signCallback([SECRET], { org: 'acme', jobId: 'job' }, body, 1_614_265_330_000);
    expect(signingSecretOf([SECRET], signed, Buffer.from(body))).toBe(0);
    expect(signingSecretOf([SECRET], signed, Buffer.from(body, 'latin1'))).toBe(-1);
  });
});
