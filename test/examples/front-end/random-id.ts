/** Makes an id that nobody guesses. `crypto.randomUUID` is missing in pages that are not served over HTTPS. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
