// What a page needs of the shell it runs in, beside the contract: where its line to the host begins.
import type { Role } from './people.ts';

/** In the browser: the token of the address's fragment is posted here, once; GET answers 204 to whoever has the cookie. */
export const sessionPath = '/session';
/** In the browser: the WebSocket that speaks the contract. */
export const linePath = '/desk';
/** The empty page for the view of an App: in the browser beside the desk's own, in the window at an origin of its own. */
export const viewPath = '/view';
export const viewOrigin = 'app://view';
/** In the window: the page posts the first to itself, and gets the second with a port. */
export const wantsPort = 'desk-wants-port';
export const givesPort = 'desk-port';

/** On that port text is the contract; beside it the page says one thing, from whose role on there are notices. */
export interface PageSays {
  notices: Role | null;
}
/** And the shell one of these. */
export type ShellSays =
  /** The host ended, what was done is kept. `again`: it is being started, and the next line waits for it. */
  | { gone: string; again: boolean }
  /** This page ended by itself before, and was loaded again. */
  | { reloaded: string }
  /** A command of `shared/commands.ts`, chosen in a menu or by a notice; `open`: the thing on that screen it is about. */
  | { command: string; open?: string };
