/** What the AWS SDK of a program needs to talk to the stand-in for SQS; any will do. */
export const SQS_ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'key-of-the-tests',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-tests',
} as const;
