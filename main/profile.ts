// Loads a profile and fills its placeholders: folders, the running clock, addresses of services, secrets of this run.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, reason } from '../shared/failures.ts';
import { profileSchema, type Profile } from '../shared/profile.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { Random } from './ports.ts';

export interface Places {
  /** The desk's data folder; programs of a profile keep their files in `profile/` below it. */
  data: string;
  profileFile: string;
  /** Now on the profile's clock, ISO 8601. */
  clock: string;
}

/** Reads and checks a profile file; with `replayMode` as its `replay` makes it. */
export function loadProfile(file: string, replayMode = false): Profile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('profile.unreadable', `The profile ${file} cannot be read: ${reason(error)}.`);
  }
  const parsed = profileSchema.safeParse(json);
  if (parsed.success) return replayMode ? inReplayMode(file, parsed.data) : parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('/') || '(top)'}: ${issue.message}`);
  throw new Failure('profile.invalid', `The profile ${file} has errors: ${problems.slice(0, 5).join('; ')}.`, problems);
}

/** The profile with everything that would differ from one time to the next held still. */
function inReplayMode(file: string, profile: Profile): Profile {
  const { replay } = profile;
  if (replay === undefined)
    throw new Failure(
      'profile.replay',
      `The profile ${file} has no replay mode: its servers answer differently each time. Replay without --servers.`,
    );
  const still = <T extends { env: Record<string, string> }>(one: T): T => ({
    ...one,
    env: { ...one.env, ...replay.env },
  });
  return {
    ...profile,
    services: profile.services.map(still),
    // A server of somebody else is the same server in replay: its configuration stays as it is.
    servers: profile.servers.map((server) =>
      server.kind === 'stdio' && server.bundled !== undefined ? still(server) : server,
    ),
  };
}

/**
 * Replaces placeholders in the text of commands, arguments and environments. `{env:NAME:default}` is the desk's own
 * variable NAME; a configuration is hashed unfilled, so another value makes other definitions, not another server.
 */
export function createPlaceholders(places: Places, random: Random, environment = process.env) {
  const secrets = new Map<string, string>();
  const services = new Map<string, string>();
  const folder = path.join(places.data, 'profile');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  function secret(name: string): string {
    const known = secrets.get(name) ?? random.hex(24);
    secrets.set(name, known);
    return known;
  }
  function fillText(text: string): string {
    return text.replaceAll(
      /\{(data|profile|clock|service:[a-z0-9-]+|secret:[a-z0-9-]+|env:[A-Z0-9_]+:[A-Za-z0-9._-]*)\}/g,
      (_, key: string) => {
        if (key === 'data') return folder;
        if (key === 'profile') return path.dirname(places.profileFile);
        if (key === 'clock') return places.clock;
        const [kind, name = '', otherwise = ''] = key.split(':');
        if (kind === 'secret') return secret(name);
        // A variable that is set to nothing counts as not set.
        if (kind === 'env') return environment[name] || otherwise;
        const url = services.get(name);
        if (url === undefined)
          throw new Failure('profile.service', `The profile names the service "${name}", which it does not start.`);
        return url;
      },
    );
  }
  function fillRecord(record: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fillText(value)]));
  }
  return {
    started(name: string, url: string): void {
      services.set(name, url);
    },
    program(program: { command: string; args: string[]; env: Record<string, string> }) {
      return { command: node(program.command), args: program.args.map(fillText), env: fillRecord(program.env) };
    },
    server(config: ServerConfig): ServerConfig {
      if (config.kind === 'http')
        return {
          ...config,
          url: fillText(config.url),
          ...(config.headers && { headers: fillRecord(config.headers) }),
        };
      return { ...config, command: node(config.command), args: config.args.map(fillText), env: fillRecord(config.env) };
    },
  };
}

/** `node` in a profile is the product's own Node, the one that runs the host. */
function node(command: string): string {
  return command === 'node' ? process.execPath : command;
}
