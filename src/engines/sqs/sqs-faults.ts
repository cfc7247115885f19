import { CERTIFICATE_REMEDIES, certificateRemedy, codesOf, describeError, hasCode } from '../../errors.js';
import { isObject } from '../../job-record/stored.js';

/*
 * Faults of Amazon SQS or the connection, with their remedies. Names are those of the SQS API reference, "Common
 * Errors", and of the AWS SDK.
 */

const CREDENTIALS = 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role the AWS SDK finds.';
const RIGHTS =
  'Grant sqs:SendMessage, ReceiveMessage, DeleteMessage, ChangeMessageVisibility, GetQueueAttributes and GetQueueUrl ' +
  'on the queue and its dead-letter queue, and kms:GenerateDataKey and kms:Decrypt where they have a key.';
const REACHABLE = 'Check SQS_QUEUE_URL, and that the server can be reached.';

const FAULTS: readonly (readonly [codes: readonly string[], fault: string])[] = [
  [
    ['InvalidClientTokenId', 'UnrecognizedClientException', 'InvalidAccessKeyId'],
    `SQS does not know the access key. ${CREDENTIALS}`,
  ],
  [['SignatureDoesNotMatch'], `The secret key does not belong to the access key. ${CREDENTIALS}`],
  [
    ['InvalidSignatureException'],
    `The secret key does not belong to the access key, or the region or the clock is wrong. ${CREDENTIALS}`,
  ],
  [['CredentialsProviderError'], `There are no credentials for SQS. ${CREDENTIALS}`],
  [['ExpiredToken', 'ExpiredTokenException'], `The credentials for SQS have expired. ${CREDENTIALS}`],
  [['AccessDenied', 'AccessDeniedException'], `The credentials may not use the queue. ${RIGHTS}`],
  [['KmsAccessDenied'], `The credentials may not use the key of the queue. ${RIGHTS}`],
  [
    ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue', 'InvalidAddress'],
    'The queue does not exist. Create it, or correct SQS_QUEUE_URL.',
  ],
  [['OverLimit'], 'Too many messages of the queue are held or delayed at once. It recovers as they are handled.'],
  [['RequestThrottled', 'ThrottlingException'], 'SQS asks for fewer requests. It recovers by itself.'],
  [['ServiceUnavailable'], 'SQS is not ready to serve. It recovers by itself.'],
  [['ECONNREFUSED', 'EHOSTUNREACH'], `SQS cannot be reached. ${REACHABLE}`],
  [['ECONNRESET'], `SQS closed the connection. ${REACHABLE}`],
  [['ENOTFOUND'], `The host name of SQS does not exist. ${REACHABLE}`],
  [['EAI_AGAIN'], `The name server does not answer for SQS. ${REACHABLE}`],
  [['EPROTO'], 'SQS does not speak TLS there. Use http: or https: in SQS_QUEUE_URL as the server does.'],
  [['TimeoutError'], `SQS does not answer in time. ${REACHABLE}`],
];

/** Returns fault and remedy of the queue in one line, free of secrets. */
export function sqsFaultOf(error: unknown): string {
  const text = describeError(error);
  // The SDK may have wrapped an error of the system, whose code is then in the text.
  const [wrapped = ''] = /\bE[A-Z]{4,}\b/.exec(text) ?? [];
  const found = [...codesOf(error), wrapped].map((code) => FAULTS.find(([codes]) => codes.includes(code)));
  const [fault] = found.filter((each) => each !== undefined);
  if (fault !== undefined) return fault[1];
  if (text === 'Region is missing') return 'SQS_QUEUE_URL names no region. Set AWS_REGION as well.';
  return `SQS did not serve (${text}). ${certificateRemedy(error) ?? REACHABLE}`;
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

/** Codes of requests that were not sent: there was no connection, or nothing to sign them with. */
const NOT_SENT = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPROTO',
  'CredentialsProviderError',
  ...Object.keys(CERTIFICATE_REMEDIES),
];

/** Words of the AWS SDK for a connection that was not made in time. The error has the name of every time limit. */
const NOT_CONNECTED = /did not establish a connection/;

/** Returns true if a failed request may have had its effect: only a reply of 4xx and a missing connection say no. */
export function mayHaveArrived(error: unknown): boolean {
  const status = isObject(error) && isObject(error['$metadata']) ? error['$metadata']['httpStatusCode'] : undefined;
  if (typeof status === 'number') return status < 400 || status >= 500;
  return !hasCode(error, ...NOT_SENT) && !NOT_CONNECTED.test(describeError(error));
}
