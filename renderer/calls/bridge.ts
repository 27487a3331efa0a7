// The host's side of the line to a view in its frame (MCP Apps, revision 2026-01-26): JSON-RPC over posted messages. What the
// view sends is foreign: read strictly, counted where it is refused, and too much of it closes the view.
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

export interface Bridged {
  html: string;
  input: JsonObject;
  /** As a server gives a result. */
  result: JsonObject;
  context: JsonObject;
}
/** What a view may ask for; what is thrown is told to it by its message. */
export interface Lent {
  post: (message: Json) => void;
  /** A call of its own server's tool: settles with its result, once a person decided. */
  call: (tool: string, args: JsonObject) => Promise<JsonObject>;
  read: (uri: string) => Promise<JsonObject>;
  /** Shows an address to the person. */
  link: (url: string) => Promise<void>;
  /** Words it wants in the conversation: shown, and given to nobody. */
  message: (text: string) => void;
  height: (pixels: number) => void;
  refused: (count: number) => void;
  /** The view is to be taken away. */
  over: (why: string) => void;
  now: () => number;
}
export type Bridge = ReturnType<typeof createBridge>;

const revision = '2026-01-26';
const mostLetters = 256 * 1024;
const mostLevels = 32;
const mostASecond = 60;
const mostOpen = 16;
const mostRefused = 100;
/** JSON-RPC 2.0, §5.1. */
const [invalid, unknown, wrong, denied] = [-32600, -32601, -32602, -32000];

class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function createBridge(view: Bridged, lent: Lent) {
  let stage: 'loading' | 'shown' | 'initialized' | 'told' | 'over' = 'loading';
  let refused = 0;
  let open = 0;
  let second = { began: 0, count: 0 };
  let gone: (() => void) | null = null;

  function say(method: string, params: JsonObject): void {
    lent.post({ jsonrpc: '2.0', method, params });
  }
  function over(why: string): void {
    if (stage === 'over') return;
    stage = 'over';
    lent.over(why);
  }
  function refuse(): void {
    lent.refused(++refused);
    if (refused >= mostRefused) over('The view sent too much that the desk does not take, and was closed.');
  }
  function tooFast(): boolean {
    const now = lent.now();
    if (now - second.began >= 1_000) second = { began: now, count: 0 };
    return ++second.count > mostASecond;
  }

  /** Answers a request; `null`: nobody asked, so nobody is told. */
  function answer(id: Json | undefined, work: () => JsonObject | Promise<JsonObject>): void {
    const told = typeof id === 'string' || typeof id === 'number';
    const no = (error: unknown): void => {
      refuse();
      const code = error instanceof Refused ? error.code : denied;
      const message = error instanceof Error ? error.message : 'It failed.';
      if (told && stage !== 'over') lent.post({ jsonrpc: '2.0', id, error: { code, message } });
    };
    if (open >= mostOpen) {
      no(new Refused(denied, 'Too many requests are open.'));
      return;
    }
    open++;
    // A refusal is told before anything else the view sends is looked at.
    let going: JsonObject | Promise<JsonObject>;
    try {
      going = work();
    } catch (error) {
      open--;
      no(error);
      return;
    }
    Promise.resolve(going)
      .then((result) => {
        if (told && stage !== 'over') lent.post({ jsonrpc: '2.0', id, result });
      }, no)
      .finally(() => open--);
  }

  function request(method: string, params: JsonObject): JsonObject | Promise<JsonObject> {
    if (method === 'ping') return {};
    if (method === 'ui/initialize') return initialize(params);
    if (stage !== 'initialized' && stage !== 'told') throw new Refused(invalid, 'Initialize first.');
    switch (method) {
      case 'tools/call': {
        const args = params['arguments'] ?? {};
        if (!isObject(args)) throw new Refused(wrong, 'The arguments are no object.');
        return lent.call(textIn(params, 'name', 128), args);
      }
      case 'resources/read':
        return lent.read(textIn(params, 'uri', 2_048));
      case 'ui/open-link':
        return lent.link(textIn(params, 'url', 4_096)).then(() => ({}));
      case 'ui/message':
        lent.message(wordsIn(params['content']));
        throw new Refused(denied, 'The desk passes on no message of a view.');
      case 'ui/update-model-context':
        throw new Refused(denied, 'The desk gives its model nothing from a view.');
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new Refused(unknown, 'The desk does not know this method.');
    }
  }
  function initialize(params: JsonObject): JsonObject {
    if (stage !== 'shown') throw new Refused(invalid, 'It is initialized already.');
    if (typeof params['protocolVersion'] !== 'string') throw new Refused(wrong, 'Name the revision you speak.');
    stage = 'initialized';
    return {
      protocolVersion: revision,
      hostInfo: { name: 'desk', version: '0.1.0' },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
      hostContext: view.context,
    };
  }
  function notice(method: string, params: JsonObject): void {
    switch (method) {
      case 'ui/notifications/initialized':
        if (stage !== 'initialized') {
          refuse();
          return;
        }
        stage = 'told';
        say('ui/notifications/tool-input', { arguments: view.input });
        {
          say('ui/notifications/tool-result', view.result);
          return;
        }
      case 'ui/notifications/size-changed': {
        const { height } = params;
        if (typeof height === 'number' && height >= 0) lent.height(height);
        else refuse();
        return;
      }
      // Nobody reads what it logs, and what a person was asked for it cannot take back.
      case 'notifications/message':
      case 'notifications/cancelled':
        return;
      default: {
        refuse();
        return;
      }
    }
  }

  return {
    /** A message that came from the frame. */
    take(data: unknown): void {
      if (stage === 'over') return;
      if (tooFast()) {
        refuse();
        return;
      }
      const message = plain(data);
      if (!isObject(message)) {
        refuse();
        return;
      }
      if (message['ready'] === true) {
        if (stage !== 'loading') {
          over('The view went to another page, and was closed.');
          return;
        }
        stage = 'shown';
        lent.post({ html: view.html });
        return;
      }
      const { id, method, params = {} } = message;
      if (message['jsonrpc'] !== '2.0' || stage === 'loading' || !isId(id)) {
        refuse();
        return;
      }
      if (method === undefined) {
        if (id === teardownId && gone !== null) {
          gone();
          return;
        }
        refuse();
        return;
      }
      if (typeof method !== 'string' || !isObject(params)) {
        refuse();
        return;
      }
      if (id === undefined) notice(method, params);
      else answer(id, () => request(method, params));
    },
    /** Tells the view that it is taken away, and gives it a moment to say that it is done. */
    teardown(ms = 300): Promise<void> {
      if (stage !== 'told' && stage !== 'initialized') {
        stage = 'over';
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(late);
          stage = 'over';
          resolve();
        };
        const late = setTimeout(end, ms);
        gone = end;
        lent.post({ jsonrpc: '2.0', id: teardownId, method: 'ui/resource-teardown', params: { reason: 'closed' } });
      });
    },
  };
}
const teardownId = 'teardown';

function isId(id: Json | undefined): boolean {
  return id === undefined || Number.isFinite(id) || (typeof id === 'string' && id.length <= 100);
}
function textIn(params: JsonObject, name: string, most: number): string {
  const value = params[name];
  if (typeof value === 'string' && value !== '' && value.length <= most) return value;
  throw new Refused(wrong, `${name} is no text of at most ${most} characters.`);
}
/** Text of a message, whether it is one block or several. */
function wordsIn(content: Json | undefined): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.flatMap((one) => (isObject(one) && typeof one['text'] === 'string' ? one['text'] : [])).join('\n');
}

/** Posted data may be anything that can be cloned; undefined where it is not small, plain JSON. */
function plain(data: unknown): Json | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    const text = JSON.stringify(data);
    if (text.length > mostLetters || deeper(text)) return undefined;
    return JSON.parse(text) as Json; // made of JSON
  } catch {
    return undefined;
  }
}
function deeper(text: string): boolean {
  let level = 0;
  for (const sign of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (sign === '[' || sign === '{') level++;
    else if (sign === ']' || sign === '}') level--;
    if (level > mostLevels) return true;
  }
  return false;
}
