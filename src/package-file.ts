/**
 * Returns the address of a file of this package.
 *
 * @param path from the folder of the package, which lies one level above `src/` and above `dist/`
 */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
