/** A number that decides everything random in a test. `TEST_SEED` repeats a run; either way it is printed. */
export function chooseSeed(what: string): number {
  const given = process.env['TEST_SEED'];
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);
  process.stderr.write(`${what}: TEST_SEED=${seed}\n`);
  return seed;
}
