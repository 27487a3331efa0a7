// The built renderer as files, for the browser mode and the window: what may be read, with which headers. Nothing outside
// the built folder can be named, and a page may load nothing but this folder (spec trust, "Electron, on top").
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** React Aria's one inline style (usePress), by the hash of its text. */
const ariaStyle = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${ariaStyle}`,
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Of every answer, pages or not. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
]);
/** Every part begins with no dot, and nothing is decoded: no way up, no hidden file, no other spelling of a name. */
const named = /^(?:\/[\w-][\w.-]*)+$/;

export interface PageFile {
  body: Buffer;
  type: string;
}

/** The file a path names, or null: also where it is a link that leads out of the folder. */
export async function readPage(folder: string, pathname: string): Promise<PageFile | null> {
  const name = pathname === '/' ? '/index.html' : pathname;
  const type = types.get(path.extname(name));
  if (type === undefined || name.length > 200 || !named.test(name)) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(path.join(root, name));
    if (!file.startsWith(root + path.sep)) return null;
    return { body: await readFile(file), type };
  } catch {
    return null;
  }
}
