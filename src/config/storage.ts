import type { EnvironmentReader } from './environment-reader.js';

/** The bucket of the object store. Credentials come from the AWS SDK's own chain. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
}

/** Where jobs and reports are kept. */
export interface StorageConfig {
  readonly dataDir: string;
  /** Undefined: jobs and queue are embedded in the data directory. */
  readonly redisUrl: string | undefined;
  /** Undefined: objects are files in the data directory. */
  readonly s3: S3Config | undefined;
}

/**
 * In production the embedded stores are a decision, not a default: `DATA_DIR` has to be set for them.
 *
 * @param gateway in production, reports need a place as well
 */
export function readStorage(reader: EnvironmentReader, production: boolean, gateway: boolean): StorageConfig {
  const directory = reader.text('DATA_DIR');
  const redisUrl = readRedisUrl(reader);
  const s3 = readS3(reader);
  if (production && directory === undefined) {
    const missing = [
      ...(redisUrl === undefined ? ['REDIS_URL'] : []),
      ...(gateway && s3 === undefined ? ['S3_BUCKET'] : []),
    ];
    for (const name of missing) {
      reader.fault(
        `${name} is required in production, unless DATA_DIR is set to keep jobs and reports on this machine.`,
      );
    }
  }
  return { dataDir: directory ?? '.data', redisUrl, s3 };
}

function readRedisUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text('REDIS_URL');
  if (text === undefined || /^rediss?:\/\/[^/]/.test(text)) return text;
  // The text may hold a password, so it is not repeated.
  reader.fault('REDIS_URL must be a redis: or rediss: URL.');
  return undefined;
}

function readS3(reader: EnvironmentReader): S3Config | undefined {
  const bucket = reader.text('S3_BUCKET');
  const others = ['S3_REGION', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE'] as const;
  const endpoint = reader.url('S3_ENDPOINT');
  const forcePathStyle = reader.choice('S3_FORCE_PATH_STYLE', ['true', 'false'], 'false') === 'true';
  if (bucket === undefined) {
    for (const name of others.filter((other) => reader.text(other) !== undefined)) {
      reader.fault(`${name} is set without S3_BUCKET; reports would go to DATA_DIR.`);
    }
    return undefined;
  }
  return { bucket, region: reader.text('S3_REGION') ?? 'us-east-1', endpoint, forcePathStyle };
}
