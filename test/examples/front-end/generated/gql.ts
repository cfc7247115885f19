/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {\n    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {\n      jobId\n    }\n  }\n": typeof types.OrderReportDocument,
    "\n  query ReportStatus($jobId: ID!) {\n    fetchDrivingReportsStatus(jobId: $jobId) {\n      completed\n      pollAfterSeconds\n      progress {\n        done\n        total\n      }\n      status\n      errors\n      downloadUrl\n    }\n  }\n": typeof types.ReportStatusDocument,
    "\n  query ListMobiles($search: String, $after: String) {\n    mobiles(search: $search, first: 200, after: $after) {\n      edges {\n        node {\n          id\n          num\n          name\n          position {\n            latitude\n            longitude\n            recordedAt\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ListMobilesDocument,
    "\n  mutation LogIn($loginId: String!, $password: String!) {\n    userLogin(loginId: $loginId, password: $password) {\n      otpRequired\n      challenge\n      session {\n        ...Tokens\n      }\n    }\n  }\n\n  fragment Tokens on Session {\n    accessToken\n    refreshToken\n  }\n": typeof types.LogInDocument,
    "\n  mutation SendOtp($loginId: String!) {\n    sendOtp(loginId: $loginId) {\n      sentTo\n      isRepeated\n    }\n  }\n": typeof types.SendOtpDocument,
    "\n  mutation VerifyOtp($loginId: String!, $code: String!, $challenge: String) {\n    verifyOtp(loginId: $loginId, code: $code, challenge: $challenge) {\n      ...Tokens\n    }\n  }\n": typeof types.VerifyOtpDocument,
    "\n  mutation RefreshSession($refreshToken: String!) {\n    refreshUserToken(refreshToken: $refreshToken) {\n      ...Tokens\n    }\n  }\n": typeof types.RefreshSessionDocument,
};
const documents: Documents = {
    "\n  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {\n    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {\n      jobId\n    }\n  }\n": types.OrderReportDocument,
    "\n  query ReportStatus($jobId: ID!) {\n    fetchDrivingReportsStatus(jobId: $jobId) {\n      completed\n      pollAfterSeconds\n      progress {\n        done\n        total\n      }\n      status\n      errors\n      downloadUrl\n    }\n  }\n": types.ReportStatusDocument,
    "\n  query ListMobiles($search: String, $after: String) {\n    mobiles(search: $search, first: 200, after: $after) {\n      edges {\n        node {\n          id\n          num\n          name\n          position {\n            latitude\n            longitude\n            recordedAt\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ListMobilesDocument,
    "\n  mutation LogIn($loginId: String!, $password: String!) {\n    userLogin(loginId: $loginId, password: $password) {\n      otpRequired\n      challenge\n      session {\n        ...Tokens\n      }\n    }\n  }\n\n  fragment Tokens on Session {\n    accessToken\n    refreshToken\n  }\n": types.LogInDocument,
    "\n  mutation SendOtp($loginId: String!) {\n    sendOtp(loginId: $loginId) {\n      sentTo\n      isRepeated\n    }\n  }\n": types.SendOtpDocument,
    "\n  mutation VerifyOtp($loginId: String!, $code: String!, $challenge: String) {\n    verifyOtp(loginId: $loginId, code: $code, challenge: $challenge) {\n      ...Tokens\n    }\n  }\n": types.VerifyOtpDocument,
    "\n  mutation RefreshSession($refreshToken: String!) {\n    refreshUserToken(refreshToken: $refreshToken) {\n      ...Tokens\n    }\n  }\n": types.RefreshSessionDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OrderReport($input: DrivingReportsInput!, $idempotencyKey: String!) {\n    startDrivingReports(input: $input, idempotencyKey: $idempotencyKey) {\n      jobId\n    }\n  }\n"): typeof import('./graphql.js').OrderReportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReportStatus($jobId: ID!) {\n    fetchDrivingReportsStatus(jobId: $jobId) {\n      completed\n      pollAfterSeconds\n      progress {\n        done\n        total\n      }\n      status\n      errors\n      downloadUrl\n    }\n  }\n"): typeof import('./graphql.js').ReportStatusDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListMobiles($search: String, $after: String) {\n    mobiles(search: $search, first: 200, after: $after) {\n      edges {\n        node {\n          id\n          num\n          name\n          position {\n            latitude\n            longitude\n            recordedAt\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql.js').ListMobilesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LogIn($loginId: String!, $password: String!) {\n    userLogin(loginId: $loginId, password: $password) {\n      otpRequired\n      challenge\n      session {\n        ...Tokens\n      }\n    }\n  }\n\n  fragment Tokens on Session {\n    accessToken\n    refreshToken\n  }\n"): typeof import('./graphql.js').LogInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendOtp($loginId: String!) {\n    sendOtp(loginId: $loginId) {\n      sentTo\n      isRepeated\n    }\n  }\n"): typeof import('./graphql.js').SendOtpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifyOtp($loginId: String!, $code: String!, $challenge: String) {\n    verifyOtp(loginId: $loginId, code: $code, challenge: $challenge) {\n      ...Tokens\n    }\n  }\n"): typeof import('./graphql.js').VerifyOtpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RefreshSession($refreshToken: String!) {\n    refreshUserToken(refreshToken: $refreshToken) {\n      ...Tokens\n    }\n  }\n"): typeof import('./graphql.js').RefreshSessionDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
