// How sure a share is, and whether two runs over the same tickets differ by more than chance.

export interface Share {
  right: number;
  total: number;
}

/** The 95 % interval of a share after Wilson, which holds at few cases and at 0 or all of them. */
export function wilson({ right, total }: Share): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const z = 1.959964;
  const share = right / total;
  const scale = 1 + z ** 2 / total;
  const middle = (share + z ** 2 / (2 * total)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** `49/60 = 82 % [70–89]`. */
export function shareWords(share: Share): string {
  const { right, total } = share;
  if (total === 0) return '–';
  const { low, high } = wilson(share);
  const percent = (value: number): string => String(Math.round(value * 100));
  return `${right}/${total} = ${percent(right / total)} % [${percent(low)}–${percent(high)}]`;
}

/**
 * The exact two-sided sign test over tickets that only one of two runs got right (McNemar's, without approximation): how
 * likely so uneven a split is where neither run is better.
 */
export function signTest(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  let term = 0.5 ** n;
  let sum = 0;
  for (let i = 0; i <= Math.min(onlyFirst, onlySecond); i++) {
    sum += term;
    term = (term * (n - i)) / (i + 1);
  }
  return Math.min(1, 2 * sum);
}
