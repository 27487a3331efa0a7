/**
 * For the tests: every structured result of the shop, whichever test asked for it, is held against the output schema that
 * was published with the last release (servers 11). What a server says of itself now, it checks itself.
 */
import { isJSONRPCRequest, isJSONRPCResultResponse, type Transport } from '@modelcontextprotocol/client';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const published = new Map(
  z
    .array(z.looseObject({ name: z.string(), outputSchema: z.record(z.string(), z.unknown()) }))
    .parse(JSON.parse(readFileSync(new URL('shop/tools.json', import.meta.url), 'utf8')))
    .map(({ name, outputSchema }) => [name, fromJsonSchema(outputSchema)]),
);

const called = z.object({ name: z.string() });
const structured = z.object({ structuredContent: z.unknown() });

/** Looks at what goes over a connected wire; a result that does not fit is answered to the test as an error instead. */
export function checkPublished(transport: Transport): void {
  const tools = new Map<string | number, string>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (isJSONRPCRequest(message) && message.method === 'tools/call')
      tools.set(message.id, called.parse(message.params).name);
    return send(message, options);
  };
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const tool = isJSONRPCResultResponse(message) ? tools.get(message.id) : undefined;
    if (tool === undefined || !isJSONRPCResultResponse(message)) return deliver?.(message, extra);
    const { data } = structured.safeParse(message.result);
    const checked =
      data?.structuredContent === undefined
        ? undefined
        : published.get(tool)?.['~standard'].validate(data.structuredContent);
    if (checked instanceof Promise) throw new Error('the schemas of the SDK are checked at once');
    const { id } = message;
    if (!checked?.issues) return deliver?.(message, extra);
    const text = `${tool} answered what was not published: ${JSON.stringify(checked.issues)}`;
    deliver?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } }, extra);
  };
}
