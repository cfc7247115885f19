import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import createClient from 'openapi-fetch';
import { createLogger } from '../../../src/logging/logger.js';
import type { paths as BackendPaths } from '../../../generated/backend-api.js';
import type { paths as GeoPaths } from '../../../generated/geo-api.js';
import type { paths as VoipPaths } from '../../../generated/voip-api.js';
import { startSandbox, type BackendName, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { breachesAreMeant } from '../../support/backend-contracts.js';
import { expectReplyToMatch } from '../../support/openapi-contract.js';

breachesAreMeant();

/** The service key of the sandboxes started here. */
export const SERVICE_KEY = 'service-key-of-the-test';

/** A sandbox that logs nothing. */
export function startQuietSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({
    logger: createLogger({ level: 'silent', pretty: false }),
    backendApiKey: SERVICE_KEY,
    ...options,
  });
}

/** A sandbox and its typed clients. */
export type OwnSandbox = { readonly sandbox: Sandbox } & ReturnType<typeof clientsOf>;

/** A quiet sandbox for the tests of a file, each of which begins without faults and with an empty journal. */
export function useSandbox(options: Partial<SandboxOptions> = {}): OwnSandbox {
  const own = {} as OwnSandbox; // filled before anything is tested
  beforeAll(async () => {
    const sandbox = await startQuietSandbox(options);
    Object.assign(own, { sandbox, ...clientsOf(sandbox) });
  });
  afterAll(() => own.sandbox.close());
  beforeEach(() => {
    own.sandbox.journal.clear();
    own.sandbox.faults.clear();
  });
  return own;
}

/** Typed clients of the three backends; every reply is held against its OpenAPI file first. */
export function clientsOf(sandbox: Sandbox) {
  const options = (name: BackendName) => ({
    baseUrl: urlOf(sandbox, name),
    fetch: checkedFetch(name),
    querySerializer: { array: { style: 'form', explode: false } } as const,
  });
  return {
    backend: createClient<BackendPaths>(options('backend-api')),
    geo: createClient<GeoPaths>(options('geo-api')),
    voip: createClient<VoipPaths>(options('voip-api')),
  };
}

/** What a request needs to be allowed. */
export type Credentials = { readonly headers: Record<string, string> };

/** Credentials of a call made for a job. */
export function asService(org = 'acme'): Credentials {
  return { headers: { 'x-api-key': SERVICE_KEY, 'x-org-id': org } };
}

/** Credentials of a call made for a user. */
export async function asUser(sandbox: Sandbox, loginId = 'demo'): Promise<Credentials> {
  return { headers: { authorization: `Bearer ${await sandbox.mintToken({ loginId })}` } };
}

/** A request that a typed client would not send. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request and returns status and parsed body of the reply. */
export async function sendRaw(
  sandbox: Sandbox,
  backend: BackendName,
  path: string,
  init: RawRequest = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${urlOf(sandbox, backend)}${path}`, init);
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, body };
}

/** Where a backend listens. */
export function urlOf(sandbox: Sandbox, backend: BackendName): string {
  return { 'backend-api': sandbox.backendApiUrl, 'geo-api': sandbox.geoApiUrl, 'voip-api': sandbox.voipApiUrl }[
    backend
  ];
}

function checkedFetch(backend: BackendName): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await fetch(request);
    const text = await response.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { status, headers } = response;
    expectReplyToMatch(backend, request.method, new URL(request.url).pathname, { status, headers, body });
    return response;
  };
}
