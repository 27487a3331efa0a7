import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { checkPublished } from './publishedTools.ts';

it('servers 11: a structured result unlike the published one reaches no test as a result', async () => {
  const seen: JSONRPCMessage[] = [];
  const wire: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: () => Promise.resolve(),
    onmessage: (message) => void seen.push(message),
  };
  checkPublished(wire);
  const stock = { sku: 'KG-4410', name: 'Lantern', available: 3, warehouses: [] };
  for (const [id, structuredContent] of [stock, { ...stock, available: '3' }, { sku: 'KG-4410' }].entries()) {
    await wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'check_stock', arguments: {} } });
    wire.onmessage?.({ jsonrpc: '2.0', id, result: { content: [], structuredContent } });
  }
  expect(seen).toMatchObject([{ result: { structuredContent: stock } }, { error: { code: -32_000 } }, { error: {} }]);
});
