/** Memory and processor time of a process. */
export interface ProcessUsage {
  /** Resident memory. */
  readonly residentBytes: number;
  /** Processor time of all its threads, in seconds. */
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly uptimeSeconds: number;
}

const MICROSECONDS = 1e6;

/** Returns the current usage of this process. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    userSeconds: user / MICROSECONDS,
    systemSeconds: system / MICROSECONDS,
    uptimeSeconds: process.uptime(),
  };
}
