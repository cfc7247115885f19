import type { Reader } from './environment.js';
import { hasRedisPassword, withRedisPassword } from './redis-url.js';

/** Bucket of the object store. Credentials come from the AWS SDK's own chain. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
}

/** Places of jobs and reports. */
export interface StorageConfig {
  readonly dataDir: string;
  /** For `parseRedisUrl`. Undefined: jobs and queue are embedded in the data directory. */
  readonly redisUrl: string | undefined;
  /** Undefined: the queue is in the job store. */
  readonly sqsQueueUrl: string | undefined;
  /** Undefined: objects are files in the data directory. */
  readonly s3: S3Config | undefined;
}

/** Reads the storage settings. Production uses the embedded stores only if `DATA_DIR` is set. */
export function readStorage(reader: Reader): StorageConfig {
  const { values, isSet, fault, production, gatewayInProduction } = reader;
  if (production && !isSet('DATA_DIR')) {
    const needed = gatewayInProduction ? (['REDIS_URL', 'S3_BUCKET'] as const) : (['REDIS_URL'] as const);
    for (const name of needed.filter((other) => !isSet(other))) {
      fault(`${name} is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.`);
    }
  }
  return {
    dataDir: values.DATA_DIR ?? '.data',
    redisUrl: readRedisUrl(reader),
    sqsQueueUrl: readQueueUrl(reader),
    s3: readS3(reader),
  };
}

/** With SQS, records must be in Redis, and bodies too large for a message must be readable by every program. */
function readQueueUrl({ values, isSet, fault, production, gatewayInProduction }: Reader): string | undefined {
  if (!isSet('SQS_QUEUE_URL')) return undefined;
  if (!isSet('REDIS_URL'))
    fault('SQS_QUEUE_URL is set without REDIS_URL; SQS takes messages, and Redis keeps the jobs.');
  // `readStorage` has checked this for the gateway.
  if (production && !gatewayInProduction && !isSet('S3_BUCKET') && !isSet('DATA_DIR')) {
    fault(
      'S3_BUCKET is required with SQS_QUEUE_URL, as for the gateway, unless DATA_DIR is a directory that they share: ' +
        'large bodies of jobs are read from there.',
    );
  }
  return values.SQS_QUEUE_URL;
}

/** Returns the URL, with the password from the file if there is one. */
function readRedisUrl({ values, isSet, fault }: Reader): string | undefined {
  const { REDIS_URL: url, REDIS_PASSWORD_FILE: password } = values;
  if (!isSet('REDIS_PASSWORD_FILE')) return url;
  if (!isSet('REDIS_URL')) fault('REDIS_PASSWORD_FILE is set without REDIS_URL; jobs would be kept in DATA_DIR.');
  if (url === undefined || password === undefined) return url;
  if (hasRedisPassword(url)) fault('REDIS_URL has a password, and REDIS_PASSWORD_FILE is set; leave one out.');
  return withRedisPassword(url, password);
}

function readS3({ values, isSet, fault }: Reader): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_REGION: region = 'us-east-1', S3_ENDPOINT: endpoint } = values;
  if (bucket !== undefined) {
    return { bucket, region, endpoint, forcePathStyle: values.S3_FORCE_PATH_STYLE ?? false };
  }
  for (const name of (['S3_REGION', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE'] as const).filter(isSet)) {
    fault(`${name} is set without S3_BUCKET; reports would go to DATA_DIR.`);
  }
  return undefined;
}
