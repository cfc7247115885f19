import type { Logger } from './logger.js';

/** Where the AWS SDK writes to. */
export type AwsSdkLogger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...content: unknown[]) => void>;

/**
 * Logs what the AWS SDK would write to the console. Its other levels hold whole requests, and its errors are thrown as
 * well.
 */
export function awsSdkLogger(logger: Logger): AwsSdkLogger {
  const ignore = (): void => undefined;
  return {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: (text: unknown) => logger.event('process.warned', { reason: `AWS SDK: ${String(text)}` }),
    error: ignore,
  };
}
