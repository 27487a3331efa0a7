/** Limits on what a server may do to the host (spec trust, "Limits"), in bytes and milliseconds: those an admin may set, and the desk's own. */
import { limitEntries, type LimitName, type LimitValues } from '../../shared/limits.ts';

/** What an admin did not set has its usual value. */
export function limitsOf(set: LimitValues) {
  const at = (name: LimitName): number => set[name] ?? limitEntries[name].usual;
  return { ...own, ...settable(at) };
}

function settable(at: (name: LimitName) => number) {
  return {
    /** One message: a line on stdio, a body or an event over HTTP after decompression. */
    messageBytes: at('message-size') * 1_024,
    /** Nesting of JSON in one message, or in one tool of a list. */
    depth: at('message-depth'),
    tools: at('tools'),
    pages: at('pages'),
    /** Reading one whole list. */
    listMs: at('list-time') * 1_000,
    schemaBytes: at('schema-size') * 1_024,
    schemaDepth: at('schema-depth'),
    schemaParts: at('schema-parts'),
    requestStateBytes: at('state-size') * 1_024,
    /** Rounds of questions in one call. */
    rounds: at('rounds'),
    /** Questions in one round. */
    questions: at('questions'),
    /** A call without answer or growing progress. */
    callIdleMs: at('call-silence') * 1_000,
    callMs: at('call-time') * 1_000,
    notificationsPerSecond: at('notices'),
    relistMs: at('list-pause') * 1_000,
    stderrBytes: at('log-size') * 1_024,
    redirects: at('redirects'),
    urlLength: at('address-length'),
    restarts: at('restarts'),
    restartWindowMs: at('restart-window') * 60_000,
    backoffMs: at('restart-pause') * 1_000,
    backoffMaxMs: at('restart-longest-pause') * 1_000,
  };
}

const own = {
  /** From start to a finished handshake; package runners may download first. */
  startMs: 120_000,
  /** How long `server/discover` may stay unanswered before the older handshake is tried. */
  probeMs: 5_000,
  /** How long a server over HTTP may leave it unanswered: silence there is an error, never an older server. */
  httpProbeMs: 15_000,
  /** Reaching a server over HTTP. */
  connectMs: 10_000,
  /** How long closing the connection may take before the guard is no longer waited for. */
  closeMs: 6_000,
  /** A person is told that a start is slow after this. */
  slowMs: 5_000,
  /** What it logs over the protocol. */
  logBytes: 64 * 1024,
  /** How often the desk asks how a task stands, whatever its server says. */
  taskLeastMs: 500,
  taskMostMs: 60_000,
  /** Where the server does not say. */
  taskEveryMs: 5_000,
  /** One answer about a task. */
  taskAnswerMs: 30_000,
  /** A run waits this long for a task before it is left waiting; as long as a call may say nothing. */
  taskPatienceMs: 10_000,
  /** A task, whatever it says of itself. */
  taskMs: 24 * 60 * 60_000,
  linesPerSecond: 1_000,
  /** The longest back-off a call or list waits for; a longer one is told instead. */
  backoffWaitMs: 5_000,
  /** A cached era older than this is probed again. */
  eraMs: 24 * 60 * 60_000,
};

export const defaultLimits = limitsOf({});
export type Limits = typeof defaultLimits;
