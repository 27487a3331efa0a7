/** Server-sent events out of a byte stream, bounded in memory. */
import { Failure } from '../../shared/failures.ts';

const newline = 10;

/** Where a broken stream goes on (2025-11-25, "Resumability"): null until the server says so. */
export interface StreamMark {
  id: string | null;
  retryMs: number | null;
}

/** `push` gives how many events it found; Failure `servers.http` once an event is longer than `limit` bytes. */
export function createEvents(
  limit: number,
  onData: (data: Buffer) => void,
  mark: StreamMark = { id: null, retryMs: null },
): { push(chunk: Buffer): number } {
  let line: Buffer[] = [];
  let data: Buffer[] = [];
  let held = 0;
  let type = '';

  function field(text: Buffer) {
    const colon = text.indexOf(':');
    const name = text.subarray(0, colon < 0 ? text.length : colon).toString('latin1');
    if (name !== 'data' && name !== 'event' && name !== 'id' && name !== 'retry') return;
    const from = colon < 0 ? text.length : text[colon + 1] === 32 ? colon + 2 : colon + 1;
    if (name === 'data') data.push(text.subarray(from));
    else if (name === 'event') type = text.subarray(from).toString('latin1').slice(0, 64);
    else say(name, text.subarray(from).toString('latin1'));
  }

  function say(name: 'id' | 'retry', value: string) {
    // Goes into a header when the stream is asked for again: plain letters of a sane length only.
    if (name === 'id' && /^[\x21-\x7e]{1,512}$/.test(value)) mark.id = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) mark.retryMs = Number(value);
  }

  /** True when the line ended an event that says something. */
  function endLine(): boolean {
    const whole = line.length === 1 && line[0] ? line[0] : Buffer.concat(line);
    const text = whole.at(-1) === 13 ? whole.subarray(0, -1) : whole;
    line = [];
    if (text.length > 0) {
      field(text);
      return false;
    }
    const found = data.length > 0 && (type === '' || type === 'message');
    const event = data.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from('\n'), part]));
    data = [];
    held = 0;
    type = '';
    if (found) onData(Buffer.concat(event));
    return found;
  }

  function add(part: Buffer) {
    held += part.length + 1;
    if (held > limit + 64) throw new Failure('servers.http', `The answer is longer than the ${limit} bytes allowed.`);
    if (part.length > 0) line.push(part);
  }

  return {
    push(chunk) {
      let events = 0;
      let from = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, end));
        if (endLine()) events++;
        from = end + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
      return events;
    },
  };
}
