/** What clients call themselves goes to stderr, once each; nothing is ever decided by it (servers 12). */
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';

const MOST = 100;
const named = z.object({ name: z.string(), version: z.string() });
const message = z.object({
  params: z.object({
    clientInfo: named.optional().catch(undefined),
    _meta: z
      .object({ [CLIENT_INFO_META_KEY]: named })
      .optional()
      .catch(undefined),
  }),
});

type ClientLog = (message: unknown) => void;

export function createClientLog(program: string): ClientLog {
  const seen = new Set<string>();
  return (given) => {
    const { data } = message.safeParse(given);
    const info = data?.params.clientInfo ?? data?.params._meta?.[CLIENT_INFO_META_KEY];
    if (!info) return;
    // Quoted and cut: it is a stranger's text.
    const line = JSON.stringify(`${info.name} ${info.version}`.slice(0, 100));
    if (seen.has(line) || seen.size >= MOST) return;
    seen.add(line);
    console.error(`${program}: a client calls itself ${line}`);
  };
}
