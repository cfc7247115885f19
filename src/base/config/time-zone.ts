/** Returns the usual spelling of the name of a time zone (IANA Time Zone Database); undefined if there is none. */
export function timeZoneNamed(name: string): string | undefined {
  // Some versions of Node.js also accept offsets such as +09:00, which have no daylight saving time.
  if (!/^[A-Z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
