// The person at the terminal. While a question is open the terminal hands Ctrl-C to us as a key: it stops the desk as ever.
import { createInterface, type Interface } from 'node:readline/promises';

/** Whoever opens it closes it. */
export function openTerminal(): Interface {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  return lines;
}
