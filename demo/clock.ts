/**
 * The sample company's clock: the real one, or one that starts at a given moment and runs on from there. For replays and
 * tests it may stand still at that moment.
 */
export function runningClock(start: string | undefined, fixed = false): () => Date {
  if (start === undefined) return () => new Date();
  if (fixed) return () => new Date(start);
  const began = performance.now();
  const from = Date.parse(start);
  return () => new Date(from + Math.trunc(performance.now() - began));
}
