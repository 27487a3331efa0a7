/** Puts a server of the SDK of 2025 on its own transports: one connection over stdio, or one for each session over HTTP. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { randomUUID } from 'node:crypto';
import type { OlderServer } from '../servingOptions.ts';

/** `create` makes one server a session. */
export function olderServer(create: () => McpServer): OlderServer {
  function made(): McpServer {
    const mcp = create();
    mcp.server.onerror = (error) => console.error(error.message);
    return mcp;
  }
  return {
    stdio: async (heard) => {
      const mcp = made();
      const wire = new StdioServerTransport();
      await mcp.connect(wire);
      const answer = wire.onmessage;
      wire.onmessage = (message) => {
        heard(message);
        answer?.(message);
      };
      return mcp;
    },
    open: async ({ keepAliveMs, opened, closed }) => {
      const mcp = made();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        keepAliveMs,
        onsessioninitialized: opened,
      });
      mcp.server.onclose = closed;
      await mcp.connect(transport);
      return transport;
    },
  };
}
