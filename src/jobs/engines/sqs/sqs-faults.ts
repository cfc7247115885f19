import { describeConnectionFault, isUnsent, type ServerWords } from '../../../base/connection-faults.js';
import { awsStatusOf, byCode, describeError, hasCode } from '../../../base/errors.js';

/*
 * Faults of Amazon SQS or the connection, with their remedies. Names are those of the SQS API reference, "Common
 * Errors", and of the AWS SDK.
 */

const CREDENTIALS = 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role the AWS SDK finds.';
const RIGHTS =
  'Grant sqs:SendMessage, ReceiveMessage, DeleteMessage, ChangeMessageVisibility, GetQueueAttributes and GetQueueUrl ' +
  'on the queue and its dead-letter queue, and kms:GenerateDataKey and kms:Decrypt where they have a key.';
const REACHABLE = 'Check SQS_QUEUE_URL, and that the server can be reached.';

const UNKNOWN_KEY = `SQS does not know the access key. ${CREDENTIALS}`;
const EXPIRED = `The credentials for SQS have expired. ${CREDENTIALS}`;
const REFUSED = `The credentials may not use the queue. ${RIGHTS}`;
const NO_QUEUE = 'The queue does not exist. Create it, or correct SQS_QUEUE_URL.';
const THROTTLED = 'SQS asks for fewer requests. It recovers by itself.';

const FAULTS: Readonly<Record<string, string>> = {
  InvalidClientTokenId: UNKNOWN_KEY,
  UnrecognizedClientException: UNKNOWN_KEY,
  InvalidAccessKeyId: UNKNOWN_KEY,
  SignatureDoesNotMatch: `The secret key does not belong to the access key. ${CREDENTIALS}`,
  InvalidSignatureException: `The secret key does not belong to the access key, or the region or the clock is wrong. ${CREDENTIALS}`,
  CredentialsProviderError: `There are no credentials for SQS. ${CREDENTIALS}`,
  ExpiredToken: EXPIRED,
  ExpiredTokenException: EXPIRED,
  AccessDenied: REFUSED,
  AccessDeniedException: REFUSED,
  KmsAccessDenied: `The credentials may not use the key of the queue. ${RIGHTS}`,
  QueueDoesNotExist: NO_QUEUE,
  'AWS.SimpleQueueService.NonExistentQueue': NO_QUEUE,
  InvalidAddress: NO_QUEUE,
  OverLimit: 'Too many messages of the queue are held or delayed at once. It recovers as they are handled.',
  RequestThrottled: THROTTLED,
  ThrottlingException: THROTTLED,
  ServiceUnavailable: 'SQS is not ready to serve. It recovers by itself.',
  TimeoutError: `SQS does not answer in time. ${REACHABLE}`,
};

const SERVER: ServerWords = {
  name: 'SQS',
  reach: REACHABLE,
  tls: 'Use http: or https: in SQS_QUEUE_URL as the server does.',
};

/** Returns fault and remedy of the queue in one line, free of secrets. */
export function sqsFaultOf(error: unknown): string {
  const fault = byCode(error, FAULTS) ?? describeConnectionFault(error, SERVER);
  if (fault !== undefined) return fault;
  const text = describeError(error);
  if (text === 'Region is missing') return 'SQS_QUEUE_URL names no region. Set AWS_REGION as well.';
  return `SQS did not serve (${text}). ${REACHABLE}`;
}

/** Returns true if a message is no longer held: its receipt handle has expired, or it is gone. */
export function isOutOfHand(error: unknown): boolean {
  return hasCode(
    error,
    'MessageNotInflight',
    'AWS.SimpleQueueService.MessageNotInflight',
    'ReceiptHandleIsInvalid',
    'InvalidParameterValue',
  );
}

/** Words of the AWS SDK for a connection that was not made in time. The error has the name of every time limit. */
const NOT_CONNECTED = /did not establish a connection/;

/** Returns true if a failed request may have had its effect: only a reply of 4xx and a missing connection say no. */
export function mayHaveArrived(error: unknown): boolean {
  const status = awsStatusOf(error);
  if (status !== undefined) return status < 400 || status >= 500;
  // Without credentials there is nothing to sign a request with.
  const isNotSent = isUnsent(error) || hasCode(error, 'CredentialsProviderError');
  return !isNotSent && !NOT_CONNECTED.test(describeError(error));
}
