import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeyStore } from './keyStore.ts';

type KeyChain = Parameters<typeof openKeyStore>[0];
const folder = mkdtempSync(path.join(tmpdir(), 'desk-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newFile = (): string => path.join(folder, `keys-${count++}.json`);

/** The system's key chain, which machines of tests have not: turns each letter, and has a key that may be replaced. */
function chain(more: Partial<KeyChain> = {}, key = { now: 1 }): KeyChain {
  const turn = (text: string): string =>
    Array.from(text, (sign) => String.fromCharCode(sign.charCodeAt(0) ^ 1)).join('');
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptStringAsync: (text) => Promise.resolve(Buffer.from(`${key.now}${turn(text)}`)),
    decryptStringAsync(sealed) {
      const text = sealed.toString();
      return Promise.resolve({ result: turn(text.slice(1)), shouldReEncrypt: text[0] !== String(key.now) });
    },
    ...more,
  };
}

describe('the key store (trust: safeStorage asynchronous, never its plain-text stand-in)', () => {
  it('is none where Linux has no key chain, where it is not available, and in an Electron without it', async () => {
    for (const backend of ['basic_text', 'unknown'] as const)
      expect(await openKeyStore(chain({ getSelectedStorageBackend: () => backend }), newFile(), 'linux')).toBeNull();
    const unavailable = chain({ isAsyncEncryptionAvailable: () => Promise.resolve(false) });
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(await openKeyStore(unavailable, newFile(), platform)).toBeNull();
    // What Electron 25 has: only the synchronous store.
    const old = { isEncryptionAvailable: () => true, getSelectedStorageBackend: () => 'gnome_libsecret' };
    expect(await openKeyStore(old as unknown as KeyChain, newFile(), 'linux')).toBeNull();
  });

  it('keeps values sealed, for this user only; another opening reads them; a removed one is gone', async () => {
    const file = newFile();
    const one = await openKeyStore(chain(), file, 'linux');
    expect(await one?.get('shop')).toBeNull();
    await one?.set('shop', 'token-1');
    await one?.set('other', 'token-2');
    expect(readFileSync(file, 'utf8')).not.toContain('token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await openKeyStore(chain(), file, 'linux');
    expect([await again?.get('shop'), await again?.get('other')]).toEqual(['token-1', 'token-2']);
    await again?.set('shop', null);
    expect([await again?.get('shop'), await again?.get('other')]).toEqual([null, 'token-2']);
  });

  it('seals a value anew where the key chain wants it', async () => {
    const [file, key] = [newFile(), { now: 1 }];
    const store = await openKeyStore(chain({}, key), file, 'linux');
    await store?.set('shop', 'token-1');
    const first = readFileSync(file, 'utf8');
    key.now = 2;
    expect(await store?.get('shop')).toBe('token-1');
    expect(readFileSync(file, 'utf8')).not.toBe(first);
    expect(await store?.get('shop')).toBe('token-1');
  });

  it('keeps nothing where sealing fails', async () => {
    const file = newFile();
    const failing = chain({ encryptStringAsync: () => Promise.reject(new Error('The key chain is locked.')) });
    const store = await openKeyStore(failing, file, 'darwin');
    await expect(store?.set('shop', 'token-1')).rejects.toThrow('locked');
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});
