// Servers that go wrong at the start. Argument: what goes wrong.
import { spawn } from 'node:child_process';
import { serve } from './lineServer.mjs';

const kinds = {
  /** Log text where only messages belong, then silence. */
  garbage() {
    console.log('\u001b[32mListening on port 3000\u001b[0m');
    console.log('');
    console.log('ready in 12 ms');
    process.stdin.resume();
  },
  /** Log text, but the server works. */
  banner() {
    console.log('Welcome!\n\n[info] loading');
    serve({});
  },
  silent() {
    process.stdin.resume();
  },
  exits() {
    console.error('Error: SHOP_URL is not set');
    process.exit(3);
  },
  /** Ends on any request before `initialize`, as old servers did. */
  dies() {
    let known = false;
    serve({
      on(request) {
        known ||= request.method === 'initialize';
        if (!known) process.exit(1);
        if (request.method !== 'initialize') return false;
        const { protocolVersion } = request.params;
        const serverInfo = { name: 'old', version: '1' };
        process.stdout.write(
          JSON.stringify({
            jsonrpc: '2.0',
            id: request.id,
            result: { protocolVersion, serverInfo, capabilities: { tools: {} } },
          }) + '\n',
        );
        return true;
      },
    });
  },
  /** Answers the probe only after the host gave it up. */
  late() {
    let first = true;
    setTimeout(() => {
      serve({
        on(request) {
          if (request.method !== 'initialize' || !first) return false;
          first = false;
          return true;
        },
      });
    }, Number(process.argv[3]));
  },
  /** Speaks only a revision nobody knows. */
  future() {
    serve({
      on(request) {
        if (request.id === undefined) return true;
        process.stdout.write(
          JSON.stringify({
            jsonrpc: '2.0',
            id: request.id,
            error: {
              code: -32022,
              message: 'unsupported',
              data: { supported: ['2031-01-01'], requested: '2026-07-28' },
            },
          }) + '\n',
        );
        return true;
      },
    });
  },
  /** Ignores the end of stdin and SIGTERM; its child and grandchild leave group, parent and environment as they can. */
  stubborn() {
    process.on('SIGTERM', () => undefined);
    const forever = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', process.argv[3] ?? ''];
    spawn(process.execPath, forever, { stdio: 'ignore', detached: true }).unref();
    spawn('/bin/sh', ['-c', 'setsid "$0" "$@" & exit 0', process.execPath, ...forever], {
      stdio: 'inherit',
      detached: true,
    }).unref();
    setInterval(() => undefined, 1000);
    serve({});
  },
};
kinds[process.argv[2]]();
