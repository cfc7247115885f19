const MICROSECONDS = 1e6;

/** Returns the resident memory of this process, the processor time of all its threads, and its uptime. */
export function processUsage() {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    userSeconds: user / MICROSECONDS,
    systemSeconds: system / MICROSECONDS,
    uptimeSeconds: process.uptime(),
  };
}
