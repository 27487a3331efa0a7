/** What the host needs of a transport beyond the SDK's: our own limits, raw lists, and what crossed the wire for whom. */
import type { Transport } from '@modelcontextprotocol/client';
import type { Json } from '../../shared/json.ts';
import type { Asker, Exchange } from './exchanges.ts';
import type { Dropped } from './inbound.ts';

export interface ServerTransport extends Transport {
  /** Only over stdio: the SDK takes a transport with `stderr` and `pid` for stdio, which decides what silence means. */
  readonly stderr?: string;
  readonly pid?: number | null;
  readonly dropped: Readonly<Dropped>;
  /** How the server ended, in words; null while it can be used. */
  readonly ended: string | null;
  /** Headers that bind the next request to an exchange. */
  watch(exchange: Exchange): Record<string, string>;
  unwatch(exchange: Exchange): void;
  /** Which request of ours a request of the server belongs to, by its ID; null where none is under way. */
  asker(id: string | number): Asker | null;
  /** Elements of list answers since the last take, as raw text. */
  takeList(): string[];
  /** True for errors made here because an answer could not be used. */
  madeHere(data: unknown): boolean;
  /** The answer to `server/discover`, in time or late. */
  discovered(): Json | undefined;
}
