/** Lines out of a byte stream, bounded in memory: a message over the limit is dropped up to its newline, not kept. */

export interface Framing {
  push(chunk: Buffer): void;
}

/** `onOversize` gets the first and last bytes of the dropped line, enough to find the request it answered. */
export function createFraming(deps: {
  limit: number;
  onLine: (line: Buffer) => void;
  onOversize: (bytes: number, head: Buffer, tail: Buffer) => void;
}): Framing {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head: Buffer | null = null;
  let tail = Buffer.alloc(0);

  function add(part: Buffer) {
    bytes += part.length;
    if (head) {
      tail = Buffer.concat([tail, part.subarray(-128)]).subarray(-128);
      return;
    }
    parts.push(part);
    if (bytes <= deps.limit) return;
    const kept = Buffer.concat(parts);
    head = Buffer.from(kept.subarray(0, 512));
    tail = Buffer.from(kept.subarray(-128));
    parts = [];
  }

  function finish() {
    if (head) deps.onOversize(bytes, head, tail);
    else deps.onLine(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    parts = [];
    bytes = 0;
    head = null;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, end));
        finish();
        from = end + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
  };
}
