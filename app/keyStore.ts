// The key store behind the host's `secrets` port: a file of values that only this user's key chain opens (safeStorage). Where
// the system has none, there is no store at all: its plain-text stand-in is never used (spec trust, "Electron, on top").
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SafeStorage } from 'electron';

export interface KeyStore {
  get: (name: string) => Promise<string | null>;
  set: (name: string, value: string | null) => Promise<void>;
}

/** What it uses of Electron: never the synchronous store, which has a plain-text stand-in. */
type KeyChain = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

/** Null where nothing can be kept safely here. After the app is ready. */
export async function openKeyStore(
  safeStorage: KeyChain,
  file: string,
  platform: NodeJS.Platform = process.platform,
): Promise<KeyStore | null> {
  // An Electron older than the asynchronous store: the one of the tests.
  if (!('isAsyncEncryptionAvailable' in safeStorage)) return null;
  if (platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())) return null;
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  return {
    async get(name) {
      const kept = read(file)[name];
      if (kept === undefined) return null;
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(kept, 'base64'));
      // The key chain has a newer key than this value was sealed with.
      if (shouldReEncrypt) await set(name, result);
      return result;
    },
    set,
  };
  async function set(name: string, value: string | null): Promise<void> {
    const sealed = value === null ? null : (await safeStorage.encryptStringAsync(value)).toString('base64');
    const others = Object.entries(read(file)).filter(([key]) => key !== name);
    write(file, Object.fromEntries(sealed === null ? others : [...others, [name, sealed]]));
  }
}

function read(file: string): Record<string, string> {
  try {
    // Written below, by nobody else.
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
/** Whole or not at all. */
function write(file: string, values: Record<string, string>): void {
  writeFileSync(`${file}.new`, JSON.stringify(values), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
