// Programs a profile needs before its servers, e.g. the sample company's own API: each under a guard, ready when it has
// printed one JSON line with its address.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import { startProcess, type ServerProcess } from './mcp/serverProcess.ts';

const announced = z.object({ url: z.url() });
const patience = 30_000;

export interface Service {
  url: string;
  close(): Promise<void>;
}

/** Starts a service and waits for its address. Throws `services.start` with its last words. */
export async function startService(
  name: string,
  program: { command: string; args: string[]; env: Record<string, string> },
  signal?: AbortSignal,
): Promise<Service> {
  const running = await startProcess({ ...program, stderrBytes: 16_384, signal });
  const close = () => running.end(6_000);
  try {
    return { url: await address(name, running, signal), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function address(name: string, running: ServerProcess, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input: running.stdout });
  const late = AbortSignal.timeout(patience);
  const first = await new Promise<string | null>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(null));
    late.addEventListener('abort', () => resolve(null), { once: true });
    signal?.addEventListener(
      'abort',
      () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped')),
      { once: true },
    );
  });
  let json: unknown = null;
  try {
    json = JSON.parse(first ?? 'null');
  } catch {
    // reported below, with what was printed
  }
  const parsed = announced.safeParse(json);
  if (parsed.success) return parsed.data.url;
  const said = running.stderr().trim().split('\n').at(-1) ?? '';
  throw new Failure(
    'services.start',
    `The service "${name}" did not start: ${said || (first ?? running.ended() ?? 'it said nothing')}. Run "desk doctor" to see what is missing.`,
  );
}
