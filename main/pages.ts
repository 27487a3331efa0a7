// The built renderer as files, for the browser mode and the window: what may be read, with which headers. Nothing outside
// the built folder can be named, and a page may load nothing but this folder (spec trust, "Electron, on top"). Beside it the
// one page that it may frame: empty, cut off, for the view of an App (spec host §22).
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { outward } from '../shared/apps.ts';

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
];
/** Of an App's view: an origin of its own that nobody shares, its own lines of script and style, and nothing from anywhere. */
const viewPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "webrtc 'block'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
];
const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Of every answer, pages or not. `frames`: where the page for views is, as a source of a policy. */
export function pageHeaders(frames: string): Readonly<Record<string, string>> {
  return { 'content-security-policy': [...policy, `frame-src ${frames}`].join('; '), ...headers };
}

/** The page for a view, which only a page of `origin` may frame. What it shows is written into it by that page, once. */
export function viewPage(origin: string): { body: string; headers: Readonly<Record<string, string>> } {
  return {
    body: `<!doctype html><meta charset="utf-8"><title>View</title><script>${waits}</script>`,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [...viewPolicy, `frame-ancestors ${origin}`].join('; '),
      'x-dns-prefetch-control': 'off',
    },
  };
}
/**
 * What no policy covers is taken out before the view is there: WebRTC, and links, which may open connections ahead. So is what
 * could bring them back, a frame with a world of its own: none is in the view's HTML (`views.ts`), none is made later. All that
 * decides here is kept apart from what the view could change.
 */
const waits = `{
  const kept = (words) => Object.assign(words, { exec: words.exec, test: words.test });
  const { apply } = Reflect;
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'XSLTProcessor']) delete window[name];
  const tag = kept(/^(.*:)?(i?frame|frameset|fencedframe|link)$/is);
  for (const [name, at] of [['createElement', 0], ['createElementNS', 1]]) {
    const make = Document.prototype[name];
    Document.prototype[name] = function (...all) {
      all[at] = \`\${all[at]}\`;
      if (tag.test(all[at])) throw new TypeError('A view has no such element.');
      return apply(make, this, all);
    };
  }
  const define = CustomElementRegistry.prototype.define;
  CustomElementRegistry.prototype.define = function (name, element) {
    return apply(define, this, [name, element]);
  };
  const outward = kept(${outward});
  const makes = kept(/^(Element|ShadowRoot|Range) (innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment)$/);
  const script = kept(/^(HTMLScriptElement|Node) /);
  let html = null;
  trustedTypes.createPolicy('default', {
    createHTML: (text, _, sink) => (text === html || (makes.test(sink) && !outward.test(text)) ? text : null),
    createScript: (text, _, sink) => (script.test(sink) ? text : null),
    createScriptURL: () => null,
  });
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data?.html !== 'string') return;
    html = data.html;
    document.open();
    document.write(html);
    document.close();
  });
  parent.postMessage({ ready: true }, '*');
}`;

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
