// A file of this machine on its way to the host: its bytes through the contract, in pieces where it is large.
import type { GivenOf } from '../../shared/contract.ts';
import { desk } from '../session.ts';

export type SentFile = Pick<GivenOf<'imports.run'>, 'name' | 'bytes' | 'upload'>;

/** Below what a message may hold once it is base64. */
const piece = 4 * 1024 * 1024;

export async function sendFile(file: File): Promise<SentFile> {
  const { name, size } = file;
  if (size <= piece) return { name, bytes: await base64(file) };
  let upload: string | null = null;
  for (let from = 0; from < size; from += piece) {
    const bytes = await base64(file.slice(from, from + piece));
    upload = (await desk.ask('imports.upload', { upload, bytes }, { deadline: 60_000 })).upload;
  }
  return { name, ...(upload === null ? {} : { upload }) };
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      // `data:…;base64,` stands before it; an empty file has no comma.
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(blob);
  });
}
