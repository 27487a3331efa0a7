/**
 * Seals what travels through a client and comes back: AES-256-GCM under a key that stays in the server's folder, or under
 * keys that several servers share.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const VERSION = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/i;

export interface Seal {
  close(value: unknown): string;
  /** What was sealed, or undefined for anything none of the keys sealed, or that was changed. */
  open(token: string): unknown;
}

/** Reads the key file, or makes it; of two servers starting at once the second takes the first one's key. */
export function sealingKey(file: string): Buffer {
  try {
    writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = readFileSync(file);
  if (key.length !== KEY_BYTES) throw new Error(`${file} is not a key of 32 bytes`);
  return key;
}

/**
 * Keys given by name, in their order: each 64 hex digits, or a file of 32 bytes or of such digits. An error says which
 * entry is wrong and never shows it, as it may be a mistyped key.
 */
export function sharedKeys(list: string): [Buffer, ...Buffer[]] {
  const [first = '', ...others] = list.split(',');
  return [sharedKey(first.trim(), 1), ...others.map((entry, index) => sharedKey(entry.trim(), index + 2))];
}

function sharedKey(entry: string, position: number): Buffer {
  if (HEX_KEY.test(entry)) return Buffer.from(entry, 'hex');
  const wrong = `entry ${position} is neither a key of 64 hex digits nor a file with one`;
  let content: Buffer;
  try {
    content = readFileSync(entry);
  } catch {
    throw new Error(wrong);
  }
  const text = content.toString('latin1').trim();
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex');
  if (content.length !== KEY_BYTES) throw new Error(wrong);
  return content;
}

/** `key` seals; the others open too, so that a key can be replaced while what it sealed is still under way. */
export function createSeal(key: Buffer, purpose: string, others: readonly Buffer[] = []): Seal {
  const bound = Buffer.from(purpose);
  function openWith(known: Buffer, raw: Buffer): unknown {
    const decipher = createDecipheriv('aes-256-gcm', known, raw.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(bound).setAuthTag(raw.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(raw.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as unknown;
    } catch {
      return undefined;
    }
  }
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
      for (const known of [key, ...others]) {
        const value = openWith(known, raw);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}
