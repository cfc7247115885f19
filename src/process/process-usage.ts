/** What a process uses. */
export interface ProcessUsage {
  /** Resident memory. */
  readonly residentBytes: number;
  /** Processor time of all its threads, in seconds. */
  readonly userSeconds: number;
  readonly systemSeconds: number;
  /** Since it was started. */
  readonly uptimeSeconds: number;
}

const MICROSECONDS = 1e6;

/** What this process uses now. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    userSeconds: user / MICROSECONDS,
    systemSeconds: system / MICROSECONDS,
    uptimeSeconds: process.uptime(),
  };
}
