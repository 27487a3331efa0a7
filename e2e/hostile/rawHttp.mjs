// Listens where a server over HTTP is expected, and speaks something else. Argument, how.
import { createServer } from 'node:net';

/** @type {Record<string, (socket: import('node:net').Socket) => void>} */
const kinds = {
  banner: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  mute: () => undefined,
  hangsUp: (socket) => socket.destroy(),
  headers(socket) {
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = () => {
      while (!socket.destroyed) if (!socket.write(`x-more: ${'x'.repeat(1_000)}\r\n`)) return;
    };
    socket.on('drain', more);
    more();
  },
};
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  kinds[process.argv[2]](socket);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })));
process.stdin.on('end', () => process.exit(0)).resume();
