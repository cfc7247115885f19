/** Variables that the AWS SDK requires before it calls the stand-in for SQS, which accepts any values. */
export const SQS_ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'key-of-the-tests',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-tests',
} as const;
