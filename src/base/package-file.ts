/** The package lies two levels above the folder of this file, and one above `dist/`. */
const PACKAGE = new URL(/\/src\/base\/[^/]+$/.test(import.meta.url) ? '../../' : '../', import.meta.url);

/** Returns the address of a file of this package. */
export function packageFile(path: string): URL {
  return new URL(path, PACKAGE);
}
