/** One round of issue_refund as it goes over the wire, for the tests: nothing is answered but what the test answers. */
import { isInputRequiredResult, specTypeSchemas, withInputRequired, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';

const fields = z.record(z.string(), z.unknown());

export interface Answered {
  asked: boolean;
  isError: boolean;
  text: string;
  texts: string[];
  structured: Record<string, unknown>;
  requests: Record<string, unknown>;
  state: string;
}

export async function issueRound(
  client: Client,
  quote_id: string,
  more: Record<string, unknown> = {},
): Promise<Answered> {
  const params = { name: 'issue_refund', arguments: { quote_id }, ...more };
  const result = await client.request(
    { method: 'tools/call', params },
    withInputRequired(specTypeSchemas.CallToolResult),
    { allowInputRequired: true },
  );
  if (isInputRequiredResult(result)) {
    return {
      asked: true,
      isError: false,
      text: '',
      texts: [],
      structured: {},
      requests: result.inputRequests ?? {},
      state: result.requestState ?? '',
    };
  }
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  return {
    asked: false,
    isError: result.isError === true,
    text: texts[0] ?? '',
    texts,
    structured: fields.parse(result.structuredContent ?? {}),
    requests: {},
    state: '',
  };
}

export async function quoteRound(client: Client, order_id: string): Promise<string> {
  const result = await client.callTool({ name: 'quote_refund', arguments: { order_id } });
  return String(fields.parse(result.structuredContent ?? {}).quote_id);
}

export const yes = { action: 'accept', content: { release: true } };

export function answering(state: string, confirm: unknown): Record<string, unknown> {
  return { requestState: state, inputResponses: { confirm } };
}
