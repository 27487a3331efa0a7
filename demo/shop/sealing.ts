/** Seals what travels through a client and comes back: AES-256-GCM under a key that stays in the server's folder. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const VERSION = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Seal {
  close(value: unknown): string;
  /** What was sealed, or undefined for anything this key did not seal unchanged. */
  open(token: string): unknown;
}

/** Reads the key file, or makes it; of two servers starting at once the second takes the first one's key. */
export function sealingKey(file: string): Buffer {
  try {
    writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = readFileSync(file);
  if (key.length !== 32) throw new Error(`${file} is not a key of 32 bytes`);
  return key;
}

export function createSeal(key: Buffer, purpose: string): Seal {
  const bound = Buffer.from(purpose);
  return {
    close: (value) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
      const hidden = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url');
    },
    open: (token) => {
      const raw = Buffer.from(token.slice(VERSION.length), 'base64url');
      // Decoding forgives odd letters; a token is only itself when it encodes back to the same text.
      if (VERSION + raw.toString('base64url') !== token || raw.length <= IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(bound).setAuthTag(raw.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = Buffer.concat([decipher.update(raw.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
