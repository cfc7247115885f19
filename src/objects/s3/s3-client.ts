import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { awsSdkLogger, type Logger } from '../../base/logging/logger.js';

type Checksums = 'WHEN_SUPPORTED' | 'WHEN_REQUIRED';

/** Bucket, and settings of the connection to its server. */
export interface S3ClientOptions {
  readonly bucket: string;
  readonly region: string;
  /** `http:` or `https:` URL of the server; by default that of `AWS_ENDPOINT_URL_S3` and the like, or Amazon's own. */
  readonly endpoint?: string | undefined;
  /** Time for which objects are kept, in days. */
  readonly retentionDays: number;
  /** True if the bucket's name is in the path, not in the host name, as most servers except Amazon's require. */
  readonly forcePathStyle?: boolean;
  readonly logger: Logger;
  /** By default the AWS SDK's own chain (environment, files, roles). */
  readonly credentials?: S3ClientConfig['credentials'];
  /**
   * Use of checksums in requests: wherever possible, the default at Amazon, or only where S3 requires them, the default
   * at any other endpoint, whose server may lack them.
   */
  readonly checksums?: Checksums;
  /** Time limit of one request, in milliseconds; 120,000 by default, and 5,000 without progress. */
  readonly requestTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 3_000;
/** Time without progress in either direction after which a request ends. */
const IDLE_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 120_000;
const ATTEMPTS = 3;

/** Name of an error for a request that took too long, which the SDK must not repeat. */
export const NO_PROGRESS = 'NoProgress';

/**
 * Creates a client of an S3 server; the caller must destroy it. Requests are repeated after errors, but not after a
 * time-out: a job holds its place meanwhile.
 */
export function createS3Client(options: S3ClientOptions): S3Client {
  const { region, endpoint, forcePathStyle = false, credentials, logger } = options;
  const checksums = async (): Promise<Checksums> => {
    // The SDK finds an endpoint in its own variables and in the profile.
    const server = endpoint ?? (await client.config.serviceConfiguredEndpoint?.());
    return options.checksums ?? (server === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED');
  };
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    logger: awsSdkLogger(logger),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') error.name = NO_PROGRESS;
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'doNotRepeatTimeOuts' },
  );
  return client;
}
