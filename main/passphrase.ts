// Passphrases of people: a guard against mistakes between those who share a desk, not against the owner of the account, who
// can read the database as it is (spec host §25).
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Failure } from '../shared/failures.ts';
import { shortestPassphrase } from '../shared/people.ts';

const cost = { N: 2 ** 17, r: 8, p: 1 };
const length = 32;

/** Failure `people.short`; never says the passphrase. `N`: less only where a test makes many. */
export async function keepPassphrase(passphrase: string, N = cost.N): Promise<string> {
  if (Array.from(normal(passphrase)).length < shortestPassphrase || passphrase.trim() === '')
    throw new Failure(
      'people.short',
      `A passphrase has at least ${shortestPassphrase} characters: four words are easy to remember. Nothing was changed.`,
    );
  const salt = randomBytes(16);
  const key = await derive(passphrase, salt, { ...cost, N });
  return ['scrypt', N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Whether it is the passphrase that `kept` was made from. Uses 128 MiB for a moment: one at a time. */
export async function isPassphrase(passphrase: string, kept: string): Promise<boolean> {
  const [method, N, r, p, salt = '', key = ''] = kept.split('$');
  if (method !== 'scrypt') throw new Error(`a passphrase kept by ${method ?? 'nothing'}`);
  const right = Buffer.from(key, 'base64');
  const given = await derive(passphrase, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(given, right);
}

function derive(passphrase: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const maxmem = 128 * N * r + 1024 * 1024;
    scrypt(normal(passphrase), salt, length, { N, r, p, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
/** The same letters, however the keyboard composed them. */
function normal(passphrase: string): string {
  return passphrase.normalize('NFC');
}
