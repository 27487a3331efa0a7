/** A server's own line to the system of record: its own key, never the caller's; what is missing is undefined. */
import type { z } from 'zod';

/** The shop answered in a way nobody at the desk can mend: a refused key. */
export class KeyRefused extends Error {}

const TIMEOUT_MS = 20_000;

interface Answer {
  status: number;
  body: unknown;
}

export interface ApiLine {
  /** Undefined when there is no such record. */
  ask: <T>(schema: z.ZodType<T>, path: string) => Promise<T | undefined>;
  must: <T>(schema: z.ZodType<T>, path: string) => Promise<T>;
  /**
   * Changes something: 200, 201, 404, 409 and 422 are answers, everything else throws. Never given up half-way unless
   * `leave` says that stopping it does no harm.
   */
  post: (path: string, body: unknown, leave?: 'when the caller leaves') => Promise<Answer>;
}

/** The line for one call: its reads end with the signal. */
export function createLine(url: string, key: string, left: AbortSignal): ApiLine {
  async function send(path: string, expected: readonly number[], ends: boolean, body?: unknown): Promise<Answer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      signal: ends ? AbortSignal.any([left, timeout]) : timeout,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const text = await response.text();
    if (status === 401) throw new KeyRefused(`the shop's API refused the key of this server (${path})`);
    if (!expected.includes(status)) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
    return { status, body: JSON.parse(text) as unknown };
  }
  return {
    ask: async (schema, path) => {
      const { status, body } = await send(path, [200, 404], true);
      return status === 404 ? undefined : schema.parse(body);
    },
    must: async (schema, path) => schema.parse((await send(path, [200], true)).body),
    post: (path, body, leave) => send(path, [200, 201, 404, 409, 422], leave !== undefined, body),
  };
}
