import { LogInDocument, WhoAmIDocument } from '../../generated/demo-operations.js';
import type { GraphQLClient } from './graphql-client.js';
import { check } from './steps.js';

/** Logs in. @returns the access token */
export async function logIn(
  client: GraphQLClient,
  login: { readonly loginId: string; readonly password: string },
  print: (line: string) => void,
): Promise<string> {
  const { session, otpRequired } = await client.request(LogInDocument, login);
  check(!otpRequired, `${login.loginId} needs a one-time password; set LOGIN_ID to somebody who does not.`);
  check(session !== null, 'The gateway gave no session.');
  print(`   ${login.loginId} is logged in for ${Math.floor(session.expiresIn / 60)} minutes.`);
  return session.accessToken;
}

/** Shows the user of the token. It must be an administrator, because the demo changes user accounts. */
export async function showUser(client: GraphQLClient, print: (line: string) => void): Promise<void> {
  const me = await client.request(WhoAmIDocument, {});
  print(`   ${me.BackendUser} of ${me.Org} in ${me.Region}${me.IsAdmin ? ', administrator' : ''}`);
  check(me.IsAdmin, `${me.BackendUser} is not an administrator; set LOGIN_ID to one.`);
}
