// Bytes into text by a named encoding, whole or not at all.
import { Failure } from '../../shared/failures.ts';
import { unreadable } from './unreadable.ts';

export function decodeAs(bytes: Uint8Array, name: string): string {
  const text = tryDecode(bytes, name);
  if (text === null) throw unreadable(`it is not ${name} throughout. Choose another encoding, or export it again`);
  return text;
}
/** Null where the bytes are no text of that encoding. Failure `imports.option` for one that is not known. */
export function tryDecode(bytes: Uint8Array, name: string): string | null {
  const decoder = decoderOf(name);
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
function decoderOf(name: string) {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch {
    throw new Failure(
      'imports.option',
      `There is no encoding "${name}". Names are like utf-8, windows-1252, shift_jis.`,
    );
  }
}
