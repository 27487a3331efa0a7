// What `npm run bench` and `npm run score` share: how such a script runs and ends, and where its models and tickets are.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { defaultData } from '../main/dataFolder.ts';
import { findModel, loadCatalogue } from '../main/model/catalogue.ts';
import { Failure, reason } from '../shared/failures.ts';
import { ticketInput, type TicketInput } from '../shared/tickets.ts';

/** Runs a script with a signal that Ctrl-C or the end of its parent aborts; failures end in their sentence. */
export async function runScript(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const stopped = (): void => stop.abort(new Failure('stopped', 'Stopped.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stopped);
  process.on('disconnect', stopped);
  try {
    await work(stop.signal);
  } catch (error) {
    process.exitCode = stop.signal.aborted ? 130 : 1;
    const why: unknown = stop.signal.aborted ? stop.signal.reason : error;
    console.error(why instanceof Failure || !(why instanceof Error) ? reason(why) : (why.stack ?? why.message));
  } finally {
    process.off('disconnect', stopped);
    // The channel to setup.mjs would keep this process alive.
    if (process.connected) process.disconnect();
  }
}

/** `--data`, else DESK_DATA, else the platform's folder. */
export function realData(option: string | undefined): string {
  return path.resolve(option ?? process.env['DESK_DATA'] ?? defaultData());
}

/** A model of the catalogue in a data folder, by name or role; `file` is null where it is not on disk. */
export function modelOnDisk(data: string, nameOrRole: string): { name: string; role: string; file: string | null } {
  const entry = findModel(loadCatalogue({ packages: true }), nameOrRole);
  const file = path.join(data, 'models', entry.file);
  return { name: entry.name, role: entry.role, file: existsSync(file) ? file : null };
}

function ticketsOf(name: string): TicketInput[] {
  const file = path.resolve(import.meta.dirname, '../demo', name);
  return z.array(ticketInput).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The sample company's tickets with their labels. */
export function sampleTickets(): TicketInput[] {
  return ticketsOf('tickets.json');
}
