/**
 * What the head of a GGUF file says of the model before anything is loaded: how much it can see at once and what a token
 * takes. Read in plain code, so that a list of models needs no model library; a file that lies costs nothing but a figure.
 */
import { open } from 'node:fs/promises';

export interface ModelShape {
  /** Tokens the model was made to see at once. */
  context: number | null;
  /** Bytes a token takes in memory, at 16 bits a value. */
  tokenBytes: number | null;
}

/** The figures stand before the vocabulary, which is what makes heads large. */
const headBytes = 256 * 1024;
const mostKeys = 2_000;
const bytesOf: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const text = 8;
const unsigned = 4;

/** Nulls where the file is none of its kind, is cut, or does not say. */
export async function modelShape(file: string): Promise<ModelShape> {
  const head = await readHead(file).catch(() => Buffer.alloc(0));
  const found = keysOf(head);
  const kind = found.get('general.architecture');
  const number = (key: string): number | null => {
    const value = found.get(`${String(kind)}.${key}`);
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const [layers, width, heads] = [number('block_count'), number('embedding_length'), number('attention.head_count')];
  const shared = number('attention.head_count_kv') ?? heads;
  if (layers === null || width === null || heads === null || shared === null)
    return { context: number('context_length'), tokenBytes: null };
  const size = width / heads;
  const both = (number('attention.key_length') ?? size) + (number('attention.value_length') ?? size);
  return { context: number('context_length'), tokenBytes: Math.round(layers * shared * both * 2) };
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Texts and 32-bit numbers by key, up to the first list or the end of what was read. */
function keysOf(head: Buffer): Map<string, string | number> {
  const found = new Map<string, string | number>();
  if (head.length < 24 || head.toString('latin1', 0, 4) !== 'GGUF' || head.readUInt32LE(4) < 2) return found;
  const keys = Math.min(Number(head.readBigUInt64LE(16)), mostKeys);
  let at = 24;
  function words(): string {
    const length = Number(head.readBigUInt64LE(at));
    const end = at + 8 + length;
    if (end > head.length) throw new RangeError('the text goes on');
    const value = head.toString('utf8', at + 8, end);
    at = end;
    return value;
  }
  try {
    for (let n = 0; n < keys; n++) {
      const key = words();
      const type = head.readUInt32LE(at);
      at += 4;
      if (type === text) found.set(key, words());
      else {
        const size = bytesOf[type];
        if (size === undefined) break;
        if (type === unsigned) found.set(key, head.readUInt32LE(at));
        at += size;
      }
    }
  } catch (error) {
    // What was read ends here: what stands before it counts.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}
