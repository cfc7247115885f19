/** Returns the address of a file of this package, whose folder lies one level above `src/` and above `dist/`. */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
