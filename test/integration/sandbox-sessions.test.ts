/** Sessions at the simulated backends outlive a gateway that restarts, as `npm run dev` does at each save. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createGateway } from '../../src/programs/app.js';
import { loadConfig } from '../../src/base/config/load-config.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { graphqlAt, type TestGateway } from '../support/gateway.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';

/** Runs a gateway in a directory, and closes it. */
async function withGateway<T>(dataDir: string, run: (graphql: TestGateway['graphql']) => Promise<T>): Promise<T> {
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, REQUEST_TIMEOUT_SECONDS: '240' });
  const gateway = await createGateway({ config, logger: createLogger({ level: 'silent' }), version: '0' });
  try {
    return await run(graphqlAt(await gateway.listen()));
  } finally {
    await gateway.close();
  }
}

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const refresh = (graphql: TestGateway['graphql'], { refreshToken }: Session) =>
  graphql('mutation ($token: String!) { refreshUserToken(refreshToken: $token) { accessToken refreshToken } }', {
    token: refreshToken,
  });

it('a session at the simulated backends goes on after a restart, and each of its refresh tokens is good for one use', async () => {
  const { path: dataDir } = closeAfterTest(await temporaryDirectory());
  const session = await withGateway(dataDir, async (graphql) => {
    const query = `mutation { userLogin(loginId: "demo", password: "demo-password") {
      session { accessToken refreshToken } } }`;
    const { data } = await graphql(query);
    return (data?.['userLogin'] as { session: Session }).session; // as selected
  });
  expect((await stat(path.join(dataDir, 'sandbox-signing-key'))).mode & 0o777).toBe(0o600);
  await withGateway(dataDir, async (graphql) => {
    const { data } = await graphql('{ me { Org } }', {}, `Bearer ${session.accessToken}`);
    expect(data).toEqual({ me: { Org: 'acme' } });
    const refreshed = (await refresh(graphql, session)).data?.['refreshUserToken'] as Session; // as selected
    expect((await graphql('{ me { Org } }', {}, `Bearer ${refreshed.accessToken}`)).data).toEqual({
      me: { Org: 'acme' },
    });
    const forged = { ...session, refreshToken: `${session.refreshToken.slice(0, -3)}AAA` };
    // The session is kept for a repetition until its own refresh token is used.
    expect((await refresh(graphql, session)).data?.['refreshUserToken']).toEqual(refreshed);
    expect((await refresh(graphql, refreshed)).data?.['refreshUserToken']).not.toEqual(refreshed);
    for (const unusable of [session, forged]) {
      expect((await refresh(graphql, unusable)).errors?.[0]?.extensions.reason).toBe('WrongRefreshToken');
    }
  });
});
