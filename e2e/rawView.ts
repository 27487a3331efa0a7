// A view of the desk without any of its code: lines over the socket, as a foreign program could send them.
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';

export interface Told {
  id?: number | null;
  ok?: boolean;
  value?: unknown;
  failure?: { code: string; message: string };
  bye?: true;
  event?: { feature: string; id: string; seq: number; entity?: unknown };
}

/** Connects to a socket. `next` waits for the first line, also an earlier one, that fits. */
export async function rawView(address: string) {
  const socket = createConnection(address);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  const told: Told[] = [];
  const looks = new Set<() => void>();
  const closed = once(socket, 'close').then(() => {
    for (const look of looks) look();
  });
  createInterface({ input: socket }).on('line', (line) => {
    // The desk's own words.
    told.push(JSON.parse(line) as Told);
    for (const look of looks) look();
  });
  let id = 1;
  function next(fits: (one: Told) => boolean): Promise<Told> {
    return new Promise((resolve, reject) => {
      function look(): void {
        const found = told.find(fits);
        if (found !== undefined) resolve(found);
        else if (socket.destroyed) reject(new Error(`The desk closed after ${JSON.stringify(told)}`));
        else return;
        looks.delete(look);
      }
      looks.add(look);
      look();
    });
  }
  return {
    told,
    closed,
    next,
    write: (text: string | Buffer) => socket.write(text),
    ask(route: string, params: unknown, as?: string): Promise<Told> {
      const mine = id++;
      socket.write(`${JSON.stringify({ id: mine, route, params, as })}\n`);
      return next((one) => one.id === mine);
    },
    close: () => socket.destroy(),
  };
}
