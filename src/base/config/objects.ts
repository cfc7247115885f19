import type { EnvironmentReader } from './environment.js';

/** Object store of an installation: the only place that says which one is used. */
export type ObjectsConfig = ReturnType<typeof readObjects>;

/** Returns true for a variable of an object store. Its directory, `DATA_DIR`, also holds other data. */
export function isOfObjectStore(name: string): boolean {
  return name.startsWith('S3_');
}

/**
 * Reads the object store: a bucket if one is set, otherwise files, which production uses only if `DATA_DIR` is set.
 * Credentials of a bucket come from the AWS SDK's own chain.
 *
 * @param dataDir directory of embedded data
 */
export function readObjects(reader: EnvironmentReader, dataDir: string) {
  const { values, isSet, fault, production, gatewayInProduction } = reader;
  const { S3_BUCKET: bucket, S3_REGION: region = 'us-east-1', S3_ENDPOINT: endpoint } = values;
  const retentionDays = values.REPORT_RETENTION_DAYS;
  if (bucket !== undefined) {
    const forcePathStyle = values.S3_FORCE_PATH_STYLE ?? false;
    return { kind: 's3', bucket, region, endpoint, forcePathStyle, retentionDays } as const;
  }
  for (const name of (['S3_REGION', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE'] as const).filter(isSet)) {
    fault(`${name} is set without S3_BUCKET; reports would go to DATA_DIR.`);
  }
  if (production && !isSet('DATA_DIR')) {
    if (gatewayInProduction) {
      fault('S3_BUCKET is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.');
    } else if (isSet('SQS_QUEUE_URL')) {
      fault(
        'S3_BUCKET is required with SQS_QUEUE_URL, as for the gateway, unless DATA_DIR is a directory that they share: ' +
          'large bodies of jobs are read from there.',
      );
    }
  }
  return { kind: 'files', dataDir, retentionDays } as const;
}
