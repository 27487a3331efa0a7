/**
 * Who may listen for a resource: whoever may read it. A subscription that names another is refused in the words of a read,
 * before the SDK accepts it: `subscriptions/listen` of 2026-07-28 on either transport, `resources/subscribe` of 2025-11-25.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  ProtocolError,
  type AuthInfo,
  type McpServer,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Throws what a read of the URI would be refused with. */
export type MayListen = (uri: string, meta: Record<string, unknown>, authInfo: AuthInfo | undefined) => Promise<void>;

const listening = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({
    _meta: z.record(z.string(), z.unknown()).catch({}),
    notifications: z.object({ resourceSubscriptions: z.array(z.string()) }),
  }),
});

interface RefusedListen {
  jsonrpc: '2.0';
  id: string | number;
  error: { code: number; message: string; data?: unknown };
}

/** The answer to a listen request that names what its caller may not read; undefined: nothing is wrong with it. */
export async function refusedListen(
  message: unknown,
  mayListen: MayListen,
  authInfo?: AuthInfo,
): Promise<RefusedListen | undefined> {
  const parsed = listening.safeParse(message);
  if (!parsed.success) return undefined;
  const { id, params } = parsed.data;
  try {
    for (const uri of params.notifications.resourceSubscriptions) await mayListen(uri, params._meta, authInfo);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) {
      const { code, message: text, data } = error;
      return { jsonrpc: '2.0', id, error: { code, message: text, ...(data === undefined ? {} : { data }) } };
    }
    console.error('subscriptions/listen:', error);
    return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'Listening failed. Try again later.' } };
  }
}

const cancelled = z.object({ params: z.object({ requestId: z.union([z.string(), z.number()]) }) });

/** The wire of a stdio server with that check in front; `heard` is told of every message. */
export function guardedWire(wire: Transport, mayListen: MayListen, heard: (message: unknown) => void): Transport {
  /** Listen requests still being looked at; one that is cancelled meanwhile is never begun. */
  const looking = new Set<string | number>();
  const handed: Transport = {
    start: () => wire.start(),
    send: (message, options) => wire.send(message, options),
    close: () => wire.close(),
  };
  wire.onclose = () => handed.onclose?.();
  wire.onerror = (error) => handed.onerror?.(error);
  wire.onmessage = (message, extra) => {
    heard(message);
    const gone =
      isJSONRPCNotification(message) && message.method === 'notifications/cancelled' && cancelled.safeParse(message);
    if (gone && gone.success && looking.delete(gone.data.params.requestId)) return;
    if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') {
      handed.onmessage?.(message, extra);
      return;
    }
    looking.add(message.id);
    void refusedListen(message, mayListen).then(async (refused) => {
      if (!looking.delete(message.id)) return;
      if (refused) await wire.send(refused);
      else handed.onmessage?.(message, extra);
    });
  };
  return handed;
}

/** Keeps what a client of 2025-11-25 subscribed to. */
export function followSubscriptions(server: McpServer, mayListen: MayListen): ReadonlySet<string> {
  const subscribed = new Set<string>();
  if (server.server.getCapabilities().resources?.subscribe !== true) return subscribed;
  server.server.setRequestHandler('resources/subscribe', async ({ params }, { mcpReq, http }) => {
    await mayListen(params.uri, { ...(params._meta ?? mcpReq._meta) }, http?.authInfo);
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return subscribed;
}
