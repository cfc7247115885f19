import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { SandboxBackend, SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { breachesAreMeant } from '../../support/backend-contracts.js';
import { BACKEND_KEY } from '../../support/gateway.js';
import { expectReplyToMatch } from '../../support/openapi-contract.js';
import { startBackends } from '../../support/successive-gateways.js';
import type { TestSandbox } from '../../support/test-sandbox.js';

breachesAreMeant();

export type Headers = Readonly<Record<string, string>>;

export const asService = (org = 'acme'): Headers => ({ 'x-api-key': BACKEND_KEY, 'x-org-id': org });
export const asUser = async (sandbox: TestSandbox, loginId = 'demo'): Promise<Headers> => ({
  authorization: `Bearer ${await sandbox.mintToken({ loginId })}`,
});
export const JSON_TYPE: Headers = { 'content-type': 'application/json' };

/** Beyond the request and its body; by default backend-api is asked as by a job. */
export interface Asking {
  readonly of?: SandboxBackend;
  readonly headers?: Headers;
}

/** A reply that its OpenAPI file allows. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly body: T;
}

/** A sandbox, and what it answers: `GET /v1/tags`, with a body where there is one. */
export interface OwnSandbox {
  readonly sandbox: TestSandbox;
  readonly ask: <T = object>(request: string, body?: object, asking?: Asking) => Promise<Reply<T>>;
}

/** Asks a sandbox; the reply is held against its OpenAPI file. */
function asking(sandbox: TestSandbox): OwnSandbox['ask'] {
  return async <T>(request: string, body?: object, asked: Asking = {}): Promise<Reply<T>> => {
    const { of = 'backend-api', headers } = asked;
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${urlOf(sandbox, of)}${path}`, {
      method,
      headers: { ...(body && JSON_TYPE), ...(headers ?? (of === 'backend-api' ? asService() : {})) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const found: unknown = text === '' ? undefined : JSON.parse(text);
    const { status } = response;
    expectReplyToMatch(of, method, path, { status, headers: response.headers, body: found });
    return { status, headers: response.headers, body: found as T }; // as its OpenAPI file says
  };
}

/** A quiet sandbox for the tests of a file, each of which begins without faults and with an empty journal. */
export function useSandbox(options: Partial<SandboxOptions> = {}): OwnSandbox {
  const own = {} as OwnSandbox; // filled before anything is tested
  beforeAll(async () => {
    const sandbox = await startBackends(options);
    Object.assign(own, { sandbox, ask: asking(sandbox) });
  });
  afterAll(() => own.sandbox.close());
  beforeEach(() => {
    own.sandbox.journal.clear();
    own.sandbox.faults.clear();
  });
  return own;
}

export async function withAnother<T>(
  options: Partial<SandboxOptions>,
  use: (ask: OwnSandbox['ask'], sandbox: TestSandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startBackends(options);
  try {
    return await use(asking(sandbox), sandbox);
  } finally {
    await sandbox.close();
  }
}

export function urlOf(sandbox: TestSandbox, name: SandboxBackend): string {
  return { 'backend-api': sandbox.backendApiUrl, 'geo-api': sandbox.geoApiUrl, 'voip-api': sandbox.voipApiUrl }[name];
}
