import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const PATH = '/api/v1/UserAccount/BulkOperationCallback';

describe('idempotency keys of creates', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const create = (loginId: string): unknown => ({
    type: 0,
    userAccountInput: { loginId, password: 'a-long-password', name: loginId },
  });
  const keys = (): (string | undefined)[] =>
    gateway.sandbox.journal.requests({ operation: 'createUserAccount' }).map(({ idempotencyKey }) => idempotencyKey);

  it('are made of the organisation, the job id and the index, so that equal ids of two organisations never meet', async () => {
    await gateway.callback(PATH, [create('key-a'), create('key-b')], { 'x-job-id': 'job-1' });
    await gateway.callback(PATH, [create('key-c')], { 'x-job-id': 'job-1', 'x-org-id': 'acme' });
    expect(keys()).toEqual([':job-1:0', ':job-1:1', 'acme:job-1:0']);
  });

  it('of a job without an id also hold when it was accepted, so that the same content later is new', async () => {
    gateway.sandbox.journal.clear();
    const reply = await gateway.callback(PATH, [create('key-d')]);
    const jobId = reply.headers.get('x-job-id') ?? '';
    expect(keys()).toEqual([expect.stringMatching(new RegExp(`^:${jobId}:\\d{13}:0$`))]);
  });
});
