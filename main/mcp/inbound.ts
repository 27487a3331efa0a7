/**
 * What a server says, one line at a time: judged before the SDK sees it. Answers nobody asked for are dropped, answers
 * that cannot be used become an error of our own, lists are kept as raw text, floods are thinned.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { cutList, deeper, type RawList } from './jsonText.ts';
import type { Limits } from './limits.ts';

/** Counts of what was dropped, for diagnosis. */
export interface Dropped {
  /** Lines on stdout that are no message, and the beginning of the first. */
  noise: number;
  firstNoise: string | null;
  oversize: number;
  /** Answers to requests that were never sent or already answered. */
  unasked: number;
  unusable: number;
  notices: number;
}

export interface Inbound {
  /** Notes a message on its way out, so that its answer is expected. */
  sent(message: JSONRPCMessage): void;
  line: (bytes: Buffer) => void;
  oversize: (bytes: number, head: Buffer, tail: Buffer) => void;
  /** Whether the answer to a request is still awaited. */
  awaits: (id: string | number) => boolean;
  /** Ends a request whose answer cannot be used, in words. Nothing when it was answered. */
  refuse: (id: unknown, reason: string) => void;
  /** A request nobody waits for any more. */
  forget: (id: string | number) => void;
  /** Elements of list answers since the last take, as raw text. */
  takeList: () => string[];
  /** True for errors made here because an answer could not be used; anything else came from the server. */
  madeHere: (data: unknown) => boolean;
  /** The answer to `server/discover`, in time or late. */
  discovered: () => Json | undefined;
  dropped: Readonly<Dropped>;
}

const lists: Record<string, string> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};
const listKeys = Object.values(lists);

export function createInbound(deps: {
  limits: Limits;
  deliver: (message: JSONRPCMessage) => void;
  /** Every message with its text; not `isWhole`: the text is that of a list the message has without its elements. */
  onWire: (message: JsonObject, text: string, isWhole: boolean) => void;
  /** A notice that something changed, with the URI of a resource: flagged before floods are thinned. */
  onChanged: (method: string, uri?: string) => void;
  /** The server asks something of the host. */
  onAsked?: ((method: string) => void) | undefined;
}): Inbound {
  const { limits, deliver } = deps;
  const dropped: Dropped = { noise: 0, firstNoise: null, oversize: 0, unasked: 0, unusable: 0, notices: 0 };
  const pending = new Map<string | number, string>();
  /** Requests that name no revision: results of other kinds than complete came later. */
  const older = new Set<string | number>();
  const ours = new WeakSet();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let listing = 0;
  let taken: string[] = [];
  let discovered: Json | undefined;
  let second = 0;
  let notices = 0;

  function settle(id: string | number): string | undefined {
    const method = pending.get(id);
    if (method === undefined) return undefined;
    pending.delete(id);
    older.delete(id);
    if (method in lists) listing--;
    return method;
  }

  function refuse(id: unknown, reason: string) {
    dropped.unusable++;
    if ((typeof id !== 'string' && typeof id !== 'number') || settle(id) === undefined) return;
    const data = {};
    ours.add(data);
    deliver({ jsonrpc: '2.0', id, error: { code: -32603, message: reason, data } });
  }

  function noise(text: string) {
    dropped.noise++;
    dropped.firstNoise ??= visible(text).slice(0, 120);
  }

  function line(bytes: Buffer) {
    let text: string;
    try {
      text = decoder.decode(bytes).trim();
    } catch {
      noise(bytes.toString('latin1'));
      return;
    }
    if (text === '') return;
    if (!text.startsWith('{')) {
      noise(text);
      return;
    }
    const list = listing > 0 ? cutList(text, listKeys) : null;
    const cut = list !== null && list.found === 1 ? list : null;
    const body = cut ? cut.envelope : text;
    if (deeper(body, limits.depth)) {
      refuse(idIn(text), `The answer is nested deeper than ${limits.depth} levels.`);
      return;
    }
    let message: Json;
    try {
      message = JSON.parse(body) as Json; // JSON.parse returns nothing but JSON values
    } catch {
      noise(text);
      return;
    }
    if (!isObject(message)) return;
    deps.onWire(message, text, cut === null);
    take(message, cut, text);
  }

  function take(message: JsonObject, cut: RawList | null, text: string) {
    if (typeof message.method === 'string') {
      if ('id' in message) deps.onAsked?.(message.method);
      if ('id' in message || wanted(message.method, message.params)) forward(message);
      return;
    }
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') {
      dropped.unasked++;
      return;
    }
    const known = pending.get(id);
    if (known === undefined) {
      dropped.unasked++;
      return;
    }
    if ('result' in message && 'error' in message) {
      refuse(id, 'The server answered with a result and an error at once.');
      return;
    }
    if (isObject(message.result)) {
      const { resultType = 'complete' } = message.result;
      if (resultType !== 'complete' && older.has(id)) {
        refuse(id, 'The server answers in a way its revision does not have.');
        return;
      }
      if (cut && lists[known] === cut.key) taken.push(...cut.elements);
      else if (cut) {
        // The array was no list answer (a tool may return a member of that name): take the message whole.
        if (deeper(text, limits.depth)) refuse(id, `The answer is nested deeper than ${limits.depth} levels.`);
        else take(JSON.parse(text) as JsonObject, null, text); // an object: its envelope was one
        return;
      }
      repair(known, message.result);
      if (known === 'server/discover') discovered = message.result;
    } else if (!isObject(message.error) || !Number.isInteger(message.error.code)) {
      refuse(id, 'The server answered with neither a result nor an error.');
      return;
    }
    settle(id);
    // The SDK tells notices one microtask later: an answer that came in one piece with its progress would end that first.
    queueMicrotask(() => forward(message));
  }

  function forward(message: JsonObject) {
    message.jsonrpc = '2.0';
    deliver(message as unknown as JSONRPCMessage); // its shape was judged above; the SDK parses it once more
  }

  /** Notices over the rate are dropped; what they change is flagged all the same. */
  function wanted(method: string, params: Json | undefined): boolean {
    if (/(_changed|resources\/updated)$/.test(method)) {
      if (ofAnother(params)) {
        dropped.notices++;
        return false;
      }
      const uri = isObject(params) ? params.uri : undefined;
      deps.onChanged(method, typeof uri === 'string' ? uri : undefined);
    }
    if (method === 'notifications/subscriptions/acknowledged') return true;
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) {
      second = now;
      notices = 0;
    }
    if (++notices <= limits.notificationsPerSecond) return true;
    dropped.notices++;
    return false;
  }

  /** A notice that names a subscription which is not, or no longer, one of ours (spec host §5). */
  function ofAnother(params: Json | undefined): boolean {
    const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
    const id = meta['io.modelcontextprotocol/subscriptionId'];
    if (id === undefined) return false;
    return (typeof id !== 'string' && typeof id !== 'number') || pending.get(id) !== 'subscriptions/listen';
  }

  return {
    dropped,
    line,
    refuse,
    awaits: (id) => pending.has(id),
    forget: (id) => void settle(id),
    sent(message) {
      if (!('method' in message)) return;
      if (!('id' in message)) {
        const about = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
        const ours = typeof about === 'string' || typeof about === 'number';
        if (ours && pending.get(about) === 'subscriptions/listen') settle(about);
        return;
      }
      pending.set(message.id, message.method);
      const meta = message.params?._meta;
      if (meta?.['io.modelcontextprotocol/protocolVersion'] === undefined) older.add(message.id);
      if (message.method in lists) listing++;
    },
    oversize(bytes, head, tail) {
      dropped.oversize++;
      refuse(
        idIn(head.toString('latin1')) ?? idIn(tail.toString('latin1')),
        `The answer is ${bytes} bytes long; ${limits.messageBytes} are allowed.`,
      );
    },
    takeList() {
      const list = taken;
      taken = [];
      return list;
    },
    madeHere: (data) => typeof data === 'object' && data !== null && ours.has(data),
    discovered: () => discovered,
  };
}

/** The request ID in the first or last members of a message too large or too deep to parse. */
function idIn(text: string): string | number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,80}")/.exec(text.slice(0, 512)) ??
    /"id"\s*:\s*(\d{1,15}|"[^"\\]{1,80}")\s*\}\s*$/.exec(text.slice(-128)) ??
    /"id"\s*:\s*(\d{1,15}|"[^"\\]{1,80}")\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*\}\s*$/.exec(text.slice(-128));
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number); // the pattern allows no other
}

/**
 * Absent `resultType` means complete (the SDK takes that for legacy servers only). A list's cache hints are filled so
 * that a server without them still lists; the discover answer stays as it is, its own shape decides the era.
 */
function repair(method: string, result: JsonObject) {
  if (method === 'server/discover') return;
  result.resultType ??= 'complete';
  if (!(method in lists) && method !== 'resources/read') return;
  if (!Number.isSafeInteger(result.ttlMs) || Number(result.ttlMs) < 0) result.ttlMs = 0;
  if (result.cacheScope !== 'public') result.cacheScope = 'private';
}

/** One line with control and direction characters written out. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
