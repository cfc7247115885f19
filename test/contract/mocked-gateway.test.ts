/**
 * `deliver` against a gateway that an independent tool makes of openapi/gateway.yaml alone: its calls are what the file
 * allows, and it knows what to do with every status that the file documents.
 */
import { request as send } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/config/key-ring.js';
import { CALLBACK_PATHS, JOB_KINDS, type JobKind } from '../../src/job-record/job-kinds.js';
import { sealPayload } from '../../src/job-record/payload-encryption.js';
import { createDeliver, type DeliveryOutcome } from '../../src/queue-function/serverless.js';
import { CALLBACKS } from '../support/callbacks.js';
import { serveOnLoopback } from '../support/loopback.js';
import { isJsonObject } from '../../src/sandbox/openapi-contract.js';
import { contractOf } from '../support/openapi-contract.js';
import { startPrismMock } from '../support/prism.js';
import { forAllTests } from '../support/resources.js';

const MASTER_KEY = Buffer.alloc(32, 3);
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const BODIES: ReadonlyMap<JobKind, object> = new Map(CALLBACKS.map(({ kind, example }) => [kind, example]));

/** The outcome of a message by the status of its callback; a status that is documented later has to be added. */
const OUTCOMES: Readonly<Record<string, object>> = {
  200: { kind: 'done' },
  400: {
    kind: 'final',
    status: 400,
    reason: expect.stringContaining('(The request body does not match the specification.)'),
  },
  401: { kind: 'delay', status: 401 },
  409: { kind: 'delay', status: 409, delayMs: 5_000 },
  413: { kind: 'final', status: 413 },
  415: { kind: 'final', status: 415 },
  422: {
    kind: 'final',
    status: 422,
    reason: expect.stringContaining('(This job id was used before with a different body.)'),
  },
  500: { kind: 'retry', status: 500, reason: 'The callback answered 500.' },
  503: { kind: 'delay', status: 503, delayMs: 5_000 },
};

function documentedStatuses(kind: JobKind): readonly string[] {
  const responses = contractOf('gateway').operationFor('POST', CALLBACK_PATHS[kind])?.node['responses'];
  return isJsonObject(responses) ? Object.keys(responses) : [];
}

describe('Against a gateway made of its OpenAPI file, deliver', () => {
  const mock = forAllTests(() => startPrismMock('gateway'));
  // Prism answers what a header asks for, which deliver does not send.
  const proxy = forAllTests(() =>
    serveOnLoopback((incoming, response) => {
      const { method, url = '', headers } = incoming;
      const onward = send(
        `${mock.url}${url}`,
        { method, headers: { ...headers, prefer: `code=${wanted}` }, agent: false },
        (reply) => {
          response.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    }),
  );
  /** Which of the documented answers Prism is asked for. */
  let wanted = '200';

  async function delivered(kind: JobKind, { org = 'acme', body = BODIES.get(kind) } = {}): Promise<DeliveryOutcome> {
    const identity = { kind, org: org === '' ? undefined : org, jobId: '0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11' };
    const payload = await sealPayload(new KeyRing([MASTER_KEY]), identity, JSON.stringify(body));
    const deliver = createDeliver({
      gatewayUrl: proxy.url,
      apiKey: 'callback-key',
      jobEncryptionKey: MASTER_KEY.toString('base64url'),
      signingSecret: SIGNING_SECRET,
    });
    return deliver({ ...identity, payload, described: { total: 1, fingerprint: 'f', retentionMs: 1 } });
  }

  describe.each(JOB_KINDS)('calls the callback of %s', (kind) => {
    it.each(documentedStatuses(kind))('and treats its %s as it has to', async (status) => {
      wanted = status;
      expect(await delivered(kind)).toMatchObject(OUTCOMES[status] ?? { kind: 'unknown to this test' });
    });

    it.each([['株式会社 100%'], ['']])('for the organisation "%s"', async (org) => {
      wanted = '200';
      expect(await delivered(kind, { org })).toEqual({ kind: 'done' });
    });
  });

  it('passes on any JSON where the file allows it', async () => {
    wanted = '200';
    const body = [{ type: 1, userAccountInput: { loginId: 'tanaka', indivs: [1, null] } }];
    expect(await delivered('user-accounts', { body })).toEqual({ kind: 'done' });
  });

  it('is refused with a body that the file does not allow', async () => {
    wanted = '200';
    expect(await delivered('mobiles', { body: [{ id: 'one' }] })).toMatchObject({ kind: 'final', status: 422 });
  });
});
