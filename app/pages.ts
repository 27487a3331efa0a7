// The built renderer at app://desk, with the same files and headers as in the browser mode, and the empty page for views at
// app://view; no file:// and no network.
import { protocol, type Session } from 'electron';
import { pageHeaders, readPage, viewPage } from '../main/pages.ts';
import { viewOrigin } from '../shared/shell.ts';

export const origin = 'app://desk';

/** Before the app is ready. */
export function declarePages(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

export function servePages(session: Session, folder: string): void {
  session.protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    if (request.url === `${viewOrigin}/` && request.method === 'GET') {
      const view = viewPage(origin);
      return new Response(view.body, { headers: view.headers });
    }
    const headers = pageHeaders(`${viewOrigin}/`);
    const file = url.origin === origin || url.host === 'desk' ? await readPage(folder, url.pathname) : null;
    if (file === null || request.method !== 'GET') return new Response('', { status: 404, headers });
    return new Response(new Uint8Array(file.body), { headers: { ...headers, 'content-type': file.type } });
  });
}
