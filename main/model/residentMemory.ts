/** How much memory a process holds, as its system says: what a model really takes, not what was reckoned. */
import { readFile } from 'node:fs/promises';

/** Bytes; null where this system does not tell, or the process is gone. */
export async function residentMemory(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
