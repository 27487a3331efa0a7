// For tests of what can be taken back for a while: what they do in that while may take long on a busy machine.
import { vi } from 'vitest';

/** The host of this process hardly ages until what is returned is called: what goes out in eight seconds waits for the test. */
export function slowClock(): () => void {
  const at = Date.now();
  const began = performance.now();
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => at + Math.floor((performance.now() - began) / 100));
  return () => {
    spy.mockRestore();
  };
}
