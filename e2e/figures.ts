// The arithmetic of `npm run bench`: the middle and the slow end.

/** By nearest rank: with fewer than 20 values the 95th percentile is the largest. NaN where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
