import type { GraphQLClient } from './graphql-client.js';
import { check } from './steps.js';

const LOG_IN = {
  document: `
    mutation LogIn($loginId: String!, $password: String!) {
      userLogin(loginId: $loginId, password: $password) { otpRequired session { accessToken expiresIn } }
    }`,
  data: {
    properties: {
      userLogin: {
        properties: {
          otpRequired: { type: 'boolean' },
          session: { nullable: true, properties: { accessToken: { type: 'string' }, expiresIn: { type: 'int32' } } },
        },
      },
    },
  },
} as const;

const WHO_AM_I = {
  document: 'query WhoAmI { me { BackendUser Org Region IsAdmin } }',
  data: {
    properties: {
      me: {
        properties: {
          BackendUser: { type: 'string' },
          Org: { type: 'string' },
          Region: { type: 'string' },
          IsAdmin: { type: 'boolean' },
        },
      },
    },
  },
} as const;

/** Logs in. @returns the access token */
export async function logIn(
  client: GraphQLClient,
  login: { readonly loginId: string; readonly password: string },
  print: (line: string) => void,
): Promise<string> {
  const {
    userLogin: { session, otpRequired },
  } = await client.request(LOG_IN, login);
  check(!otpRequired, `${login.loginId} needs a one-time password; set LOGIN_ID to somebody who does not.`);
  check(session !== null, 'The gateway gave no session.');
  print(`   ${login.loginId} is logged in for ${Math.floor(session.expiresIn / 60)} minutes.`);
  return session.accessToken;
}

/** Shows who the token belongs to. It must be an administrator, because the demo changes user accounts. */
export async function showUser(client: GraphQLClient, print: (line: string) => void): Promise<void> {
  const { me } = await client.request(WHO_AM_I);
  print(`   ${me.BackendUser} of ${me.Org} in ${me.Region}${me.IsAdmin ? ', administrator' : ''}`);
  check(me.IsAdmin, `${me.BackendUser} is not an administrator; set LOGIN_ID to one.`);
}
