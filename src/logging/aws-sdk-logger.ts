import type { Logger } from './logger.js';

/** Logger interface of the AWS SDK. */
export type AwsSdkLogger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...content: unknown[]) => void>;

/**
 * Logs warnings that the AWS SDK would write to the console. Other levels hold whole requests, and errors are thrown
 * as well.
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
