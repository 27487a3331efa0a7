/**
 * The extension io.modelcontextprotocol/tasks: a call answered by a handle, its work going on behind it. A task is stored
 * before its handle leaves and is whatever the store says: another process on the store, or this one after a restart,
 * takes up work whose runner is gone, where it stopped.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type Database from 'better-sqlite3';
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { callerOf } from './caller.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const POLL_MS = 500;
/** A runner says this often that it is alive, and counts as gone after this long without a word. */
const BEAT_MS = 1_000;
const LEASE_MS = 3_000;

export const TASKS_TABLES = `
  CREATE TABLE IF NOT EXISTS tasks (task_id TEXT PRIMARY KEY, owner TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, status TEXT NOT NULL, message TEXT, kept TEXT, outcome TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, expires_at INTEGER NOT NULL, cancel_asked INTEGER NOT NULL DEFAULT 0, runner TEXT, beat_at INTEGER) STRICT;
`;

interface Row {
  task_id: string;
  owner: string;
  tool: string;
  arguments: string;
  status: 'working' | 'completed' | 'failed' | 'cancelled';
  message: string | null;
  kept: string | null;
  outcome: string | null;
  created_at: string;
  updated_at: string;
}

/** What the work of a task has to do with its task. */
export interface Steps {
  /** What an earlier runner kept, or undefined at the beginning. */
  kept: unknown;
  /** After each step: keeps what was done. Throws when the task was cancelled or is gone, or another runner has it. */
  done: (kept: unknown, message: string) => void;
  signal: AbortSignal;
}

export type TaskWork = (args: unknown, steps: Steps) => Promise<CallToolResult>;

/** Whether the client of this request declared the extension; what other requests said does not count. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return z.object({ extensions: z.object({ [TASKS_EXTENSION]: z.looseObject({}) }) }).safeParse(capabilities).success;
}

export function requireTasks(declared: boolean): void {
  if (!declared)
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}

function gone(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task. It may have expired.');
}

/** Thrown into the work of a task that is not to go on. */
export class TaskStopped extends Error {}

export interface TasksOptions {
  db: Database.Database;
  now: () => Date;
  ttlMs: number;
  works: Readonly<Record<string, TaskWork>>;
}

export type Tasks = ReturnType<typeof createTasks>;

export function createTasks({ db, now, ttlMs, works }: TasksOptions) {
  const me = randomUUID();
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const find = db.prepare<[string], Row & { cancel_asked: number; runner: string | null }>(
    'SELECT * FROM tasks WHERE task_id = ?',
  );
  const add = db.prepare(
    "INSERT INTO tasks (task_id, owner, tool, arguments, status, created_at, updated_at, expires_at, runner, beat_at) VALUES (@task_id, @owner, @tool, @arguments, 'working', @created_at, @created_at, @expires_at, @runner, @beat_at)",
  );
  const keep = db.prepare(
    "UPDATE tasks SET kept = ?, message = ?, updated_at = ?, beat_at = ? WHERE task_id = ? AND runner = ? AND status = 'working'",
  );
  const beat = db.prepare('UPDATE tasks SET beat_at = ? WHERE task_id = ? AND runner = ?');
  const end = db.prepare(
    "UPDATE tasks SET status = ?, outcome = ?, message = coalesce(?, message), updated_at = ?, runner = NULL WHERE task_id = ? AND runner = ? AND status = 'working'",
  );
  const letGo = db.prepare('UPDATE tasks SET runner = NULL WHERE task_id = ? AND runner = ?');
  const adoptable = db.prepare<{ me: string; now: number; lease: number }, { task_id: string }>(
    "UPDATE tasks SET runner = @me, beat_at = @now WHERE status = 'working' AND (runner IS NULL OR beat_at < @now - @lease) RETURNING task_id",
  );
  const purge = db.prepare('DELETE FROM tasks WHERE expires_at <= ?');

  function stepsOf(id: string, kept: string | null): Steps {
    return {
      // Kept by this very work, as JSON.
      kept: kept === null ? undefined : (JSON.parse(kept) as unknown),
      signal: closing.signal,
      done: (value, message) => {
        keep.run(JSON.stringify(value), message, now().toISOString(), Date.now(), id, me);
        const row = find.get(id);
        if (row?.runner !== me || row.cancel_asked === 1 || closing.signal.aborted) throw new TaskStopped();
      },
    };
  }

  async function work(row: Row): Promise<void> {
    const { task_id: id, tool } = row;
    const timer = setInterval(() => beat.run(Date.now(), id, me), BEAT_MS);
    const finish = (status: Row['status'], outcome: unknown, message: string | null = null): void => {
      end.run(status, outcome === null ? null : JSON.stringify(outcome), message, now().toISOString(), id, me);
    };
    try {
      const run = works[tool];
      if (!run) throw new Error(`${tool} is no tool with tasks`);
      finish('completed', await run(JSON.parse(row.arguments), stepsOf(id, row.kept)));
    } catch (error) {
      if (closing.signal.aborted) letGo.run(id, me);
      else if (error instanceof TaskStopped) finish('cancelled', null, stoppedAt(find.get(id)?.message));
      else {
        console.error(`${tool}:`, error);
        const told = error instanceof ProtocolError ? error : undefined;
        finish('failed', { code: told?.code ?? -32_603, message: told?.message ?? `${tool} failed. Try again later.` });
      }
    } finally {
      clearInterval(timer);
    }
  }

  function start(row: Row): void {
    const going = work(row).finally(() => running.delete(going));
    running.add(going);
  }

  function adopt(): void {
    for (const { task_id } of adoptable.all({ me, now: Date.now(), lease: LEASE_MS })) {
      const row = find.get(task_id);
      if (row) start(row);
    }
  }

  function own(owner: string, id: string): Row {
    purge.run(now().getTime());
    adopt();
    const row = find.get(id);
    if (row?.owner !== owner) throw gone();
    return row;
  }

  adopt();
  return {
    /** The result that stands for the task; its work has begun. */
    create: (tool: string, owner: string, args: unknown) => {
      const at = now();
      purge.run(at.getTime());
      const task_id = randomBytes(24).toString('base64url');
      const created_at = at.toISOString();
      add.run({
        task_id,
        owner,
        tool,
        arguments: JSON.stringify(args),
        created_at,
        expires_at: at.getTime() + ttlMs,
        runner: me,
        beat_at: Date.now(),
      });
      const row = find.get(task_id);
      if (!row) throw new Error('the task was not stored');
      start(row);
      return { resultType: 'task', ...view(row, ttlMs) };
    },
    get: (owner: string, id: string) => {
      const row = own(owner, id);
      // Stored by this file, as JSON.
      const outcome = row.outcome === null ? undefined : (JSON.parse(row.outcome) as unknown);
      const ended =
        row.status === 'completed' ? { result: outcome } : row.status === 'failed' ? { error: outcome } : {};
      return { ...view(row, ttlMs), ...ended };
    },
    /** Asks it to stop; it does after the step it is at. */
    cancel: (owner: string, id: string) => {
      own(owner, id);
      db.prepare("UPDATE tasks SET cancel_asked = 1 WHERE task_id = ? AND status = 'working'").run(id);
    },
    /** Lets go of what is running, for whoever opens the store next. */
    close: async () => {
      closing.abort();
      await Promise.all(running);
    },
  };
}

const stoppedAt = (message: string | null | undefined): string => `stopped: ${message ?? 'nothing was done'}`;

function view({ task_id, status, message, created_at, updated_at }: Row, ttlMs: number) {
  return {
    taskId: task_id,
    status,
    ...(message === null ? {} : { statusMessage: message }),
    createdAt: created_at,
    lastUpdatedAt: updated_at,
    ttlMs,
    pollIntervalMs: POLL_MS,
  };
}

const params = z.looseObject({
  taskId: z.string().max(200),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** Answers the three methods of the extension, each only to a client that declares it. */
export function serveTasks(mcp: McpServer, tasks: Tasks): void {
  const method = (name: string, act: (owner: string, id: string) => Record<string, unknown>): void =>
    mcp.server.setRequestHandler(name, { params }, ({ taskId, _meta }, context) => {
      requireTasks(declaresTasks(context));
      return act(callerOf(context, _meta), taskId);
    });
  method('tasks/get', (owner, id) => tasks.get(owner, id));
  // No task of ours asks anything: an answer to nothing is taken and ignored.
  method('tasks/update', (owner, id) => {
    tasks.get(owner, id);
    return {};
  });
  method('tasks/cancel', (owner, id) => {
    tasks.cancel(owner, id);
    return {};
  });
}
