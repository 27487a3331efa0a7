// A well-behaved server for tests: the official SDK, both eras, a tool for each kind of outcome.
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(
  () => {
    const server = new McpServer(
      { name: 'good', version: '1.0.0' },
      {
        instructions: 'Be kind.',
        capabilities: { tools: { listChanged: true }, resources: {} },
        cacheHints: { 'tools/list': { ttlMs: Number(process.env.TTL ?? 0), cacheScope: 'private' } },
      },
    );
    const text = (value) => ({ content: [{ type: 'text', text: value }] });
    server.registerTool(
      'echo',
      {
        description: 'Says it again.',
        inputSchema: z.object({ text: z.string() }),
        _meta: { 'example.com/kept': true },
      },
      ({ text: said }) => text(said),
    );
    server.registerTool('meta', { description: 'Shows _meta.', inputSchema: z.object({}) }, (_, ctx) =>
      text(JSON.stringify(ctx.mcpReq._meta ?? {})),
    );
    server.registerTool('environment', { description: 'Shows names of variables.', inputSchema: z.object({}) }, () =>
      text(Object.keys(process.env).sort().join(' ')),
    );
    server.registerTool('fails', { description: 'Fails.', inputSchema: z.object({}) }, () => ({
      ...text('no such order'),
      isError: true,
    }));
    server.registerTool(
      'structured',
      { description: 'Answers with data.', inputSchema: z.object({}), outputSchema: z.object({ total: z.string() }) },
      () => ({ content: [], structuredContent: { total: '12.50' } }),
    );
    server.registerTool(
      'slow',
      {
        description: 'Counts.',
        inputSchema: z.object({ steps: z.number(), ms: z.number(), still: z.boolean().optional() }),
      },
      async ({ steps, ms, still }, ctx) => {
        for (let step = 1; step <= steps; step++) {
          await new Promise((resolve) => setTimeout(resolve, ms));
          if (ctx.mcpReq.signal.aborted) process.stderr.write('slow was cancelled\n');
          if (ctx.mcpReq.signal.aborted) return text('cancelled');
          const { progressToken } = ctx.mcpReq._meta ?? {};
          if (progressToken !== undefined)
            await ctx.mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, progress: still ? 1 : step, total: steps },
            });
        }
        return text('done');
      },
    );
    server.registerTool(
      'refund',
      { description: 'Asks first.', inputSchema: z.object({ order: z.string() }) },
      ({ order }, ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', z.object({ sure: z.boolean() }));
        if (answer) return text(`refunded ${order} ${String(answer.sure)} ${String(ctx.mcpReq.requestState())}`);
        const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };
        return inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message: 'Sure?', requestedSchema }) },
          requestState: 'state \u2028 ✓',
        });
      },
    );
    server.registerResource(
      'policy',
      'shop://policy',
      { description: 'Rules', mimeType: 'text/plain', annotations: { priority: 0.9, audience: ['assistant'] } },
      (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Thirty days.' }],
      }),
    );
    return server;
  },
  { legacy: 'serve' },
);
