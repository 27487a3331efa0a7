// What a page may never do, whatever it holds: leave app://desk, open windows, get permissions or devices, reach a network,
// attach a webview, save anything but what it made itself (spec trust, "Electron, on top").
import { app, type Session } from 'electron';
import { viewOrigin } from '../shared/shell.ts';
import { origin } from './pages.ts';

const locked = new WeakSet<Session>();

export function lockSession(session: Session): void {
  if (locked.has(session)) return;
  locked.add(session);
  session.setPermissionRequestHandler((_, __, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // What asks nobody before it connects, a connection opened ahead or WebRTC, comes to a port where nobody is.
  void session.setProxy({ mode: 'fixed_servers', proxyRules: 'socks5://127.0.0.1:9', proxyBypassRules: '<-loopback>' });
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !own(details.url) }));
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${origin}/`)) event.preventDefault();
  });
}

/** Every page and every session the app ever makes, before anything is loaded. */
export function lockPages(): void {
  app.on('session-created', lockSession);
  app.on('web-contents-created', (_, page) => {
    page.setWindowOpenHandler(() => ({ action: 'deny' }));
    page.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    page.on('will-navigate', (event) => event.preventDefault());
    page.on('will-redirect', (event) => event.preventDefault());
    page.on('will-attach-webview', (event) => event.preventDefault());
  });
}

function own(url: string): boolean {
  if (url === `${viewOrigin}/`) return true;
  return url.startsWith(`${origin}/`) || url.startsWith(`blob:${origin}/`) || url.startsWith('devtools://');
}
