/** The generator's random numbers: 32-bit integers only, so every machine draws the same ones from the same seed. */
export interface Random {
  /** An integer from 0 to `end` - 1. */
  below(end: number): number;
  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** xorshift32: shifts and exclusive-or alone, no floating point anywhere. */
export function createRandom(seed: number): Random {
  let state = seed | 0 || 1;
  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  }
  for (let turn = 0; turn < 16; turn += 1) next();
  function below(end: number): number {
    return next() % end;
  }
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    pick: (list) => list[below(list.length)] ?? list[0],
  };
}
