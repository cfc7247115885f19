/** A gateway, and the same task for every client: order a report, wait for it, download it. */
import { readFileSync } from 'node:fs';
import type { IntrospectionQuery } from 'graphql';
import { expect, jest } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { closeAfterTest } from '../support/resources.js';
import { Session } from './session.js';

export const REPORT = {
  date: '2026-11-19T00:00:00+09:00',
  drivers: [{ mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' }],
};

export const POLL_MS = 50;

export function introspection(): IntrospectionQuery {
  const file = 'node_modules/vehicle-location-gateway-front-end/introspection.json';
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as IntrospectionQuery; // as graphql-js made it
}

/** A request that names an operation, or has it whole. */
export interface Sent {
  readonly method: string;
  readonly query: boolean;
}

/** Runs something against a gateway that is started with these settings. */
export async function withFrontEnd(
  environment: NonNullable<Parameters<typeof startTestGateway>[0]>,
  run: (frontEnd: ReturnType<typeof frontEndOf>) => Promise<void>,
): Promise<void> {
  const gateway = await startTestGateway(environment);
  try {
    // The operation that logs in is not among the persisted ones.
    const session =
      environment.PERSISTED_OPERATIONS === 'only'
        ? new Session(gateway.url, { accessToken: await gateway.sandbox.mintToken(), refreshToken: '' })
        : await Session.logIn(gateway.url, 'demo', 'demo-password');
    await run(frontEndOf(gateway, session));
  } finally {
    jest.restoreAllMocks();
    await gateway.close();
  }
}

/** A gateway, a user who is logged in, and the bodies that were sent since. */
function frontEndOf(gateway: TestGateway, session: Session) {
  const { fetch } = globalThis;
  const fetched = jest.spyOn(globalThis, 'fetch');
  return {
    gateway,
    session,
    sent: () => fetched.mock.calls.map(([url, init]) => describeRequest(url, init)),
    /** Loses the answer to the next request, which the gateway has handled. */
    loseAnswer: () =>
      fetched.mockImplementationOnce(async (url, init) => {
        await (await fetch(url, init)).text();
        throw new TypeError('The connection was closed.');
      }),
    /** Keeps the answer to the next request back until then. */
    delayAnswer: (until: Promise<unknown>) =>
      fetched.mockImplementationOnce(async (url, init) => {
        const response = await fetch(url, init);
        await until;
        return response;
      }),
    async jobIds(): Promise<readonly string[]> {
      const { data } = await gateway.graphql('{ jobs { edges { node { jobId } } } }', {}, session.authorization);
      const { edges } = data?.['jobs'] as { edges: readonly { node: { jobId: string } }[] }; // as selected
      return edges.map(({ node }) => node.jobId);
    },
  };
}

/** Gives the recipes what a page has. @returns spy of its `reload` */
export function asLoadedPage() {
  const stored = new Map<string, string>();
  const reload = jest.fn();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  };
  for (const [name, value] of Object.entries({ location: { reload }, sessionStorage })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    closeAfterTest({
      close: () =>
        before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name),
    });
  }
  return reload;
}

function describeRequest(url: string | URL | Request, { method = 'GET', body }: RequestInit = {}): Sent {
  const { searchParams } = new URL(url instanceof Request ? url.url : url);
  const query = typeof body === 'string' ? 'query' in (JSON.parse(body) as object) : searchParams.has('query'); // GraphQL over HTTP
  return { method, query };
}

/** Downloads a report. Its link needs no token, and may lack an origin. */
export async function expectPdf(gatewayUrl: string, downloadUrl: string | null | undefined): Promise<void> {
  const response = await fetch(new URL(downloadUrl ?? '', gatewayUrl));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await response.text()).slice(0, 5)).toBe('%PDF-');
}
