/**
 * Hosts of SQS: current ones, those of interface endpoints, and those of old URLs ("Amazon SQS endpoints and quotas").
 */
const HOSTS = [
  /^sqs(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d+)\./,
  /\.sqs\.([a-z]{2}(?:-[a-z]+)+-\d+)\.vpce\./,
  /^([a-z]{2}(?:-[a-z]+)+-\d+)\.queue\./,
];

/**
 * Returns the region for signing requests to a queue.
 *
 * @returns undefined if the host does not name it: then the AWS SDK's own chain does (`AWS_REGION`, profile)
 */
export function regionOf(queueUrl: string): string | undefined {
  const { hostname } = new URL(queueUrl);
  for (const host of HOSTS) {
    const [, region] = host.exec(hostname) ?? [];
    if (region !== undefined) return region;
  }
  // The oldest URLs name no region and mean the first one.
  return hostname === 'queue.amazonaws.com' ? 'us-east-1' : undefined;
}
