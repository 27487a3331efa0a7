// The arithmetic of `npm run bench` and `npm run score`: the middle, the slow end, and how sure a share is.

/** By nearest rank: with fewer than 20 values the 95th percentile is the largest. NaN where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The 95 % interval of a share after Wilson, which holds at few cases and at 0 or all of them. */
export function wilson(right: number, total: number): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const z = 1.959964;
  const share = right / total;
  const scale = 1 + z ** 2 / total;
  const middle = (share + z ** 2 / (2 * total)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** `49/60 = 82 % [70–89]`. */
export function shareWords(right: number, total: number): string {
  if (total === 0) return '–';
  const { low, high } = wilson(right, total);
  const percent = (value: number): string => String(Math.round(value * 100));
  return `${right}/${total} = ${percent(right / total)} % [${percent(low)}–${percent(high)}]`;
}
