/** @param sorted values, smallest first @param share 0 to 1 @returns null when there are none */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
