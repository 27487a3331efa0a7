/** The sample company's clock: the real one, or one that starts at a given moment and runs on from there. */
export function runningClock(start: string | undefined): () => Date {
  if (start === undefined) return () => new Date();
  const began = performance.now();
  const from = Date.parse(start);
  return () => new Date(from + Math.trunc(performance.now() - began));
}
