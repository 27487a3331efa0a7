/** The little-endian pieces of a GGUF file, version 3, for the model that tests write themselves. For tests only. */
export function createGguf() {
  const parts: Buffer[] = [];
  function u32(value: number): void {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    parts.push(buffer);
  }
  function u64(value: number): void {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64LE(BigInt(value));
    parts.push(buffer);
  }
  function f32(value: number): void {
    const buffer = Buffer.alloc(4);
    buffer.writeFloatLE(value);
    parts.push(buffer);
  }
  function text(value: string): void {
    u64(Buffer.byteLength(value));
    parts.push(Buffer.from(value));
  }
  function raw(value: Buffer): void {
    parts.push(value);
  }
  function pad(length: number): void {
    parts.push(Buffer.alloc((32 - (length % 32)) % 32));
  }
  function keyed(key: string, type: number): void {
    text(key);
    u32(type);
  }
  function list(key: string, type: number, length: number): void {
    keyed(key, 9);
    u32(type);
    u64(length);
  }
  /** Writes `key` as a value of this GGUF type. */
  const entry =
    <Value>(type: number, write: (value: Value) => void) =>
    (key: string, value: Value): void => {
      keyed(key, type);
      write(value);
    };
  const entries =
    <Value>(type: number, write: (value: Value) => void) =>
    (key: string, values: readonly Value[]): void => {
      list(key, type, values.length);
      values.forEach((value) => write(value));
    };
  return {
    u32,
    u64,
    text,
    raw,
    pad,
    length: () => parts.reduce((sum, part) => sum + part.length, 0),
    bytes: () => Buffer.concat(parts),
    number: entry(4, u32),
    float: entry(6, f32),
    flag: entry(7, (value: boolean) => raw(Buffer.from([value ? 1 : 0]))),
    string: entry(8, text),
    strings: entries(8, text),
    integers: entries(5, u32),
  };
}
export type Gguf = ReturnType<typeof createGguf>;
