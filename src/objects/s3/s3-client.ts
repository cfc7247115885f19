import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { awsSdkLogger } from '../../logging/aws-sdk-logger.js';
import type { Logger } from '../../logging/logger.js';

/** How an S3 server is asked. */
export interface S3ClientOptions {
  readonly region: string;
  /** `http:` or `https:` URL of the server; Amazon's own when left out. */
  readonly endpoint?: string;
  /** The bucket's name stands in the path instead of the host name; most servers but Amazon's want that. */
  readonly forcePathStyle?: boolean;
  readonly logger: Logger;
  /** Left out: the AWS SDK's own chain (environment, files, roles). */
  readonly credentials?: S3ClientConfig['credentials'];
  /**
   * Whether requests carry checksums wherever possible or only where S3 demands them, for servers that lack
   * them. By default wherever possible at Amazon, and where demanded at any other endpoint.
   */
  readonly checksums?: 'WHEN_SUPPORTED' | 'WHEN_REQUIRED';
  /** Longest time of one request, in milliseconds; 30,000 by default. */
  readonly requestTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 30_000;
const ATTEMPTS = 3;

/** A client of an S3 server; to be destroyed by whoever creates it. */
export function createS3Client(options: S3ClientOptions): S3Client {
  const { region, endpoint, forcePathStyle = false, credentials, logger } = options;
  const checksums = options.checksums ?? (endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED');
  return new S3Client({
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
      throwOnRequestTimeout: true,
    },
  });
}
