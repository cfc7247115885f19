import { NO_PROGRESS } from './s3-client.js';
import { describeConnectionFault, type ServerWords } from '../../base/connection-faults.js';
import { awsStatusOf, byCode, describeError } from '../../base/errors.js';

/*
 * Errors of an S3 server or of the connection to it, with the change to make. Names are those of the S3 API reference,
 * "Error responses", and of the AWS SDK.
 */

const CREDENTIALS = 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role the AWS SDK finds.';
const RIGHTS =
  'Grant s3:PutObject, s3:GetObject, s3:AbortMultipartUpload and s3:ListBucket on the bucket, ' +
  'and with SQS_QUEUE_URL also s3:DeleteObject on job-bodies/*.';
const REACHABLE = 'Check S3_ENDPOINT, and that the server runs and can be reached.';
const REGION = 'Set S3_REGION to the region of the bucket, or correct S3_ENDPOINT.';

/**
 * Faults by name: first those that last until an operator changes something, then those that may end by themselves
 * (clocks are set, old reports are removed, servers restart). Jobs wait for the end of either.
 */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: `The S3 server does not know the access key. ${CREDENTIALS}`,
  SignatureDoesNotMatch: `The secret key does not belong to the access key. ${CREDENTIALS}`,
  CredentialsProviderError: `There are no S3 credentials. ${CREDENTIALS}`,
  ExpiredToken: `The S3 credentials have expired. ${CREDENTIALS}`,
  InvalidToken: `The S3 session token is not valid. ${CREDENTIALS}`,
  AccessDenied: `The S3 credentials may not use the bucket. ${RIGHTS}`,
  Forbidden: `The S3 credentials may not use the bucket. ${RIGHTS}`,
  AllAccessDisabled: 'The bucket is disabled. Ask the provider of the S3 server.',
  NoSuchBucket: 'The bucket does not exist. Create it, or correct S3_BUCKET.',
  NotFound: 'The bucket does not exist. Create it, or correct S3_BUCKET.',
  InvalidBucketName: 'The name of the bucket is not valid. Correct S3_BUCKET.',
  PermanentRedirect: `The bucket is elsewhere. ${REGION}`,
  AuthorizationHeaderMalformed: `The bucket is in another region. ${REGION}`,
  IllegalLocationConstraintException: `The bucket is in another region. ${REGION}`,
  NotImplemented: 'The S3 server lacks multipart uploads or checksums. Use one that has them.',
  XAmzContentSHA256Mismatch: 'The S3 server misreads checksums. Use one that has them.',
  RequestTimeTooSkewed: 'The clock of this machine is 15 minutes or more off that of the S3 server. Set it.',
  QuotaExceeded: 'The S3 server is full: a quota is used up. Raise it or remove old reports.',
  InsufficientStorage: 'The S3 server is full. Give it more space or remove old reports.',
  XMinioStorageFull: 'The S3 server is full. Give it more space or remove old reports.',
  NoSuchUpload: 'The S3 server dropped an unfinished upload. A new upload may succeed.',
  RequestTimeout: 'The S3 server did not receive a report in time. A new upload may succeed.',
  IncompleteBody: 'A report reached the S3 server incomplete. A new upload may succeed.',
  BadDigest: 'A report reached the S3 server changed. A new upload may succeed.',
  SlowDown: 'The S3 server asks for fewer requests. It recovers by itself.',
  ServiceUnavailable: 'The S3 server is not ready to serve. It recovers by itself.',
  [NO_PROGRESS]: `The S3 server does not answer in time. ${REACHABLE}`,
};

const SERVER: ServerWords = {
  name: 'The S3 server',
  reach: REACHABLE,
  host: 'Check S3_ENDPOINT, and set S3_FORCE_PATH_STYLE=true if buckets have no host names of their own.',
  tls: 'Use http: or https: in S3_ENDPOINT as the server does.',
};

/** Describes an error of the S3 client: the fault and what to change. */
export function s3FaultOf(error: unknown): string {
  const fault = byCode(error, FAULTS) ?? describeConnectionFault(error, SERVER);
  if (fault !== undefined) return fault;
  const status = awsStatusOf(error);
  const reply = status === undefined ? 'no reply' : `HTTP ${status}`;
  return `The S3 server did not serve (${reply}, ${describeError(error)}). ${REACHABLE}`;
}
