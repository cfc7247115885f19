import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

/** Audits of the GraphQL-over-HTTP specification that the package brings. */
const AUDITS = 61;

describe('GraphQL over HTTP', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn: fetch });

  it(`has ${AUDITS} audits`, () => {
    expect(audits).toHaveLength(AUDITS);
  });

  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });
});
