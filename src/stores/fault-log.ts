import type { Logger } from '../logger.js';

/**
 * Logs what is wrong with a dependency once, not once per command: a fault is repeated only when it changes or
 * after the dependency has answered in between.
 */
export class FaultLog {
  private current: string | undefined;

  /** @param dependency its name in the log, such as `Redis` */
  constructor(
    private readonly logger: Logger,
    private readonly dependency: string,
  ) {}

  /** The dependency did not serve. @param fault one line: what is wrong and what to change */
  failed(fault: string): void {
    if (fault === this.current) return;
    this.current = fault;
    this.logger.error({ dependency: this.dependency }, fault);
  }

  /** The dependency served. */
  served(): void {
    if (this.current === undefined) return;
    this.current = undefined;
    this.logger.info({ dependency: this.dependency }, `${this.dependency} answers again.`);
  }
}
