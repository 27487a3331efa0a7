/** Limits on what a server may do to the host (spec trust, "Limits"); an admin may set others. */
export const defaultLimits = {
  /** Bytes of one message: a line on stdio, a body or an event over HTTP after decompression. */
  messageBytes: 8 * 1024 * 1024,
  /** Nesting of JSON in one message, or in one tool of a list. */
  depth: 64,
  tools: 512,
  pages: 100,
  /** Reading one whole list. */
  listMs: 30_000,
  /** From start to a finished handshake; package runners may download first. */
  startMs: 120_000,
  /** How long `server/discover` may stay unanswered before the older handshake is tried. */
  probeMs: 5_000,
  /** How long a server over HTTP may leave it unanswered: silence there is an error, never an older server. */
  httpProbeMs: 15_000,
  /** Reaching a server over HTTP. */
  connectMs: 10_000,
  redirects: 3,
  urlLength: 2_048,
  /** How long closing the connection may take before the guard is no longer waited for. */
  closeMs: 6_000,
  /** A person is told that a start is slow after this. */
  slowMs: 5_000,
  stderrBytes: 256 * 1024,
  /** What it logs over the protocol. */
  logBytes: 64 * 1024,
  requestStateBytes: 64 * 1024,
  /** Questions in one round. */
  questions: 8,
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
  notificationsPerSecond: 50,
  linesPerSecond: 1_000,
  relistMs: 5_000,
  restarts: 5,
  restartWindowMs: 10 * 60_000,
  backoffMs: 1_000,
  backoffMaxMs: 60_000,
  /** The longest back-off a call or list waits for; a longer one is told instead. */
  backoffWaitMs: 5_000,
  /** A cached era older than this is probed again. */
  eraMs: 24 * 60 * 60_000,
};
export type Limits = typeof defaultLimits;
