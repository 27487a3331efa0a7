/** The last bytes of what a server says, bounded in memory. */
export function createRing(limit: number) {
  let parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes < 2 * limit && parts.length < 4_096) return;
      parts = [Buffer.concat(parts).subarray(-limit)];
      bytes = parts[0]?.length ?? 0;
    },
    text: () => Buffer.concat(parts).subarray(-limit).toString('utf8'),
  };
}
