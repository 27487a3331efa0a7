// Bringing tickets in from a view: bytes through the contract, never a path; a look before anything is stored; large files in
// pieces.
import { Failure } from '../../shared/failures.ts';
import type { ImportOptions, ImportPreview } from '../../shared/imports.ts';
import type { Person } from '../../shared/people.ts';
import type { Imported } from '../../shared/tickets.ts';
import type { Events } from '../events.ts';
import { iso, type Clock, type Random } from '../ports.ts';
import type { Store } from '../store/open.ts';
import { putTickets, type PutOptions } from './putTickets.ts';
import type { ReadImport } from './readImport.ts';
import { readFileOf } from './reading.ts';
import { unreadable } from './unreadable.ts';

const longest = 256 * 1024 * 1024;
const mostUploads = 4;
const keptFor = 10 * 60_000;
const samples = 5;
const namedRefused = 200;
/** Milliseconds between two words of how far it is. */
const apart = 250;

interface Given {
  bytes?: string | undefined;
  upload?: string | undefined;
  options: ImportOptions;
  watch?: string | undefined;
}
type Rest = Pick<PutOptions, 'dryRun' | 'signal' | 'stop'>;
interface Upload {
  pieces: Buffer[];
  size: number;
  used: number;
  by: string;
}

export type Imports = ReturnType<typeof createImports>;

export function createImports(deps: { store: Store; clock: Clock; random: Random; events: Events }) {
  const { store, clock, random, events } = deps;
  const uploads = new Map<string, Upload>();
  const running = new Map<string, AbortController>();

  function uploadOf(id: string, by: Person): Upload {
    const now = clock.now();
    for (const [old, { used }] of uploads) if (used + keptFor < now) uploads.delete(old);
    const found = uploads.get(id);
    if (found?.by !== by.id)
      throw new Failure('imports.upload', 'This file is no longer kept: it is for ten minutes. Choose it again.');
    found.used = now;
    return found;
  }
  function bytesOf({ bytes, upload }: Given, by: Person): Buffer {
    if (upload !== undefined) return Buffer.concat(uploadOf(upload, by).pieces);
    if (bytes === undefined) throw new Failure('host.params', 'Neither bytes nor an upload was given.');
    return Buffer.from(bytes, 'base64');
  }
  function putOptions(read: ReadImport, { watch = '' }: Given, by: Person, rest: Rest): PutOptions {
    const { kind, incoming } = read;
    let told = 0;
    const progress = (done: number): void => {
      const now = clock.now();
      if (watch === '' || (now - told < apart && done < incoming.length)) return;
      told = now;
      events.publish('imports', watch, { watch, done, of: incoming.length });
    };
    return { kind, source: 'import', by: by.id, at: iso(clock), progress, ...rest };
  }

  return {
    /** Failures `imports.long`, `imports.upload`, `imports.busy`. */
    upload({ upload, bytes }: { upload: string | null; bytes: string }, by: Person): { upload: string; size: number } {
      const id = upload ?? random.hex(12);
      if (upload === null) {
        const now = clock.now();
        for (const [old, { used }] of uploads) if (used + keptFor < now) uploads.delete(old);
        if (uploads.size >= mostUploads)
          throw new Failure('imports.busy', 'Other files are being brought in. Try again in ten minutes.');
        uploads.set(id, { pieces: [], size: 0, used: now, by: by.id });
      }
      const to = uploadOf(id, by);
      const piece = Buffer.from(bytes, 'base64');
      if (to.size + piece.length > longest) {
        uploads.delete(id);
        throw new Failure('imports.long', 'The file is larger than 256 MiB. Split it; nothing was stored.');
      }
      to.pieces.push(piece);
      to.size += piece.length;
      return { upload: id, size: to.size };
    },
    async preview(given: Given, by: Person, signal: AbortSignal): Promise<ImportPreview> {
      const read = await readFileOf(bytesOf(given, by), given.options, signal);
      const open = read.questions.length > 0;
      const would = open
        ? null
        : await putTickets(store, read.incoming, putOptions(read, given, by, { dryRun: true, signal }));
      return {
        kind: read.kind,
        encoding: read.encoding,
        table: read.table,
        questions: read.questions,
        records: read.records,
        samples: open ? [] : read.incoming.slice(0, samples).map(sampleOf),
        refused: open ? [] : read.refused.slice(0, namedRefused),
        notes: read.notes.slice(0, namedRefused),
        would: would && { added: would.added, unchanged: would.unchanged, updated: would.updated },
      };
    },
    /** Failure `imports.asks` with the open questions; nothing is stored then. */
    async run(
      given: Given,
      by: Person,
      signal: AbortSignal,
    ): Promise<Imported & { notes: string[]; stopped: boolean }> {
      const read = await readFileOf(bytesOf(given, by), given.options, signal);
      if (read.questions.length > 0)
        throw new Failure(
          'imports.asks',
          `Nothing was stored: this must be said first. ${read.questions.map(({ text }) => text).join(' ')}`,
          read.questions,
        );
      if (read.incoming.length === 0 && read.refused.length === 0) throw unreadable('it has no record');
      const stop = new AbortController();
      const name = `${by.id} ${given.watch ?? ''}`;
      running.set(name, stop);
      const options = putOptions(read, given, by, { dryRun: false, signal, stop: stop.signal });
      const done = await putTickets(store, read.incoming, options).finally(() => {
        running.delete(name);
        events.publish('tickets', '*', null);
      });
      const stopped = done.ids.length < read.incoming.length;
      if (given.upload !== undefined && !stopped) uploads.delete(given.upload);
      return { ...done, refused: read.refused, notes: read.notes, stopped };
    },
    /** What is in stays. */
    stop(watch: string, by: Person): boolean {
      const found = running.get(`${by.id} ${watch}`);
      found?.abort();
      return found !== undefined;
    },
  };
}

function sampleOf({ line, ticket }: ReadImport['incoming'][number]): ImportPreview['samples'][number] {
  const { id, customer, customer_name, subject, body, received_at, channel, messages } = ticket;
  return {
    line,
    id,
    customer,
    customer_name,
    subject,
    body: body.slice(0, 2_000),
    received_at,
    channel,
    messages: messages.length + 1,
  };
}
