/** How a server of the sample company is told to serve: its arguments, read and checked before anything starts. */
import {
  ResourceNotFoundError,
  type AuthInfo,
  type McpServer,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { openChangeBus, type ChangeBus } from './changes.ts';
import { refuse } from './environment.ts';
import type { MayListen } from './listening.ts';

/** The SDK makes the comment of a stream every so many milliseconds; tests set SERVE_COMMENT_MS to wait less. */
const COMMENT_MS = 15_000;

export interface ServingOptions {
  /** Undefined: stdio. */
  port: number | undefined;
  /** Names that requests may use besides those of loopback; with any, every interface is listened on. */
  hosts: string[];
  /** Whether revision 2025-11-25 is spoken too. */
  older: boolean;
  commentMs: number;
  /** The server's own options, each with its value, like `release` for `--release updated`. */
  own: Record<string, string>;
}

/** Makes one MCP server: for a connection, a session, or (2026-07-28 over HTTP) a single request, so state lives outside. */
export type ServerFactory = (changes: ServerNotifier) => McpServer;

/** What a session of 2025-11-25 over HTTP needs of its transport, whichever SDK it is of. */
export interface OlderSession {
  sessionId?: string | undefined;
  handleRequest(request: Request, more: { parsedBody?: unknown; authInfo?: AuthInfo }): Promise<Response>;
  close(): Promise<void>;
}

interface OpenedSession {
  keepAliveMs: number;
  /** Called once the session has its name. */
  opened: (id: string) => void;
  closed: () => void;
}

/** A server of the SDK of 2025, which speaks that revision and no other. */
export interface OlderServer {
  /** Speaks on stdin and stdout; `heard` is told of every message. */
  stdio: (heard: (message: unknown) => void) => Promise<{ close(): Promise<void> }>;
  open: (session: OpenedSession) => Promise<OlderSession>;
}

/** Who sent a request over HTTP; undefined: nobody it may be answered to. */
export type SignIn = (token: string) => AuthInfo | undefined;

/** What a server serves besides what the factory makes. */
export interface Served {
  /** Without it nobody may listen for a resource. */
  mayListen?: MayListen;
  /** Over HTTP: every request carries a token, and only who it names is answered. */
  signIn?: SignIn | undefined;
  /** Shared with the replicas of the server. */
  bus?: ChangeBus;
}

export function offered({ mayListen, signIn, bus }: Served): Required<Served> {
  return {
    mayListen: mayListen ?? refuseAll,
    signIn,
    bus: bus ?? openChangeBus(undefined),
  };
}

function refuseAll(uri: string): Promise<never> {
  return Promise.reject(new ResourceNotFoundError(uri, 'There is no such resource.'));
}

/** Reads the program's arguments; a wrong one is said in one sentence and ends the program. */
export function readServingOptions(program: string, ownNames: readonly string[] = []): ServingOptions {
  const options: ServingOptions = { port: undefined, hosts: [], older: true, commentMs: commentMs(program), own: {} };
  const words = process.argv.slice(2);
  const values = (): string[] => {
    const end = words.findIndex((word) => word.startsWith('--'));
    return words.splice(0, end === -1 ? words.length : end);
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const name = word.replace(/^--/, '');
    const given = values();
    if (word === '--http' && given.length <= 1) options.port = portOf(program, given[0] ?? '0');
    else if (word === '--host' && given.length > 0) options.hosts.push(...given);
    else if (word === '--no-2025' && given.length === 0) options.older = false;
    else if (word !== name && ownNames.includes(name) && given.length === 1) options.own[name] = given[0] ?? '';
    else return refuse(program, `${[word, ...given].join(' ')} is not understood; ${usage(ownNames)}`);
  }
  return options;
}

function usage(ownNames: readonly string[]): string {
  const own = ownNames.map((name) => `--${name} VALUE`);
  return `the arguments are ${['--http [PORT]', '--host NAME…', '--no-2025', ...own].join(', ')}`;
}

function portOf(program: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  return refuse(program, `--http ${text} is wrong: a port is a number from 0 to 65535`);
}

function commentMs(program: string): number {
  const given = process.env.SERVE_COMMENT_MS ?? String(COMMENT_MS);
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  return refuse(program, 'SERVE_COMMENT_MS is wrong: is a number of milliseconds');
}
