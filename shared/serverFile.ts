/**
 * Servers as people paste them: our own configuration, a list of it, or what they keep for other programs (`mcpServers`, VS
 * Code's `servers`, a single entry, a piece of a README). What is only asked for at the start there is asked for here too.
 */
import { z } from 'zod';
import { Failure, reason } from './failures.ts';
import { serverConfig, type ServerConfig } from './servers.ts';

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const common = { type: z.string().optional(), disabled: z.boolean().default(false) };
const started = z.object({
  ...common,
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: values.default({}),
});
const address = z.string();
const reached = z
  .object({
    ...common,
    url: address.optional(),
    serverUrl: address.optional(),
    httpUrl: address.optional(),
    headers: values.default({}),
  })
  .transform(({ url, serverUrl, httpUrl, ...rest }, context) => {
    const found = url ?? serverUrl ?? httpUrl;
    if (found !== undefined) return { ...rest, url: found };
    context.addIssue({ code: 'custom', message: 'it has neither "command" nor "url"' });
    return z.NEVER;
  });
const entry = z.union([started, reached]);
type Entry = z.output<typeof entry>;
const entries = z.record(z.string(), entry);
const pasted = z.union([
  z.object({ mcpServers: entries }).transform((one) => one.mcpServers),
  z.object({ servers: entries }).transform((one) => one.servers),
  z.object({ mcp: z.object({ servers: entries }) }).transform((one) => one.mcp.servers),
  entries.refine((all) => Object.keys(all).length > 0),
]);

/** Values that are asked for when the server is added: `${input:NAME}`, as VS Code writes them. */
const asked = /\$\{input:[^}]*\}/;
const secretName = /key|token|secret|passw|pwd|passphrase|auth|credential|cookie|private/i;

/** Whether a value of this name is better kept as a secret; a person may say otherwise. */
export function looksSecret(name: string): boolean {
  return secretName.test(name);
}

/** Failure `servers.file`, begun with `where`; nothing was added by then. */
export function readServers(text: string, where: string): ServerConfig[] {
  const json = readJson(text, where);
  const known = pasted.safeParse(json);
  const single = entry.safeParse(json);
  const list: unknown[] = known.success
    ? Object.entries(known.data).map(([name, one]) => ours(name, one, where))
    : single.success && !isOurs(json)
      ? [ours(nameOf(single.data), single.data, where)]
      : [json].flat();
  return list.map((one) => {
    const parsed = serverConfig.safeParse(one);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('/') || '(top)'}: ${issue.message}`);
    throw new Failure('servers.file', `${where}: ${problems.slice(0, 4).join('; ')}. Nothing was added.`);
  });
}

/** The names of values a server still needs, of its environment or its headers. */
export function missingValues(config: ServerConfig): string[] {
  return Object.entries(valuesOf(config)).flatMap(([name, value]) => (asked.test(value) ? [name] : []));
}
/** With what a person gave for one of them. */
export function withValue(config: ServerConfig, name: string, given: string): ServerConfig {
  const filled = { ...valuesOf(config), [name]: (valuesOf(config)[name] ?? '').replace(asked, () => given) };
  return config.kind === 'stdio' ? { ...config, env: filled } : { ...config, headers: filled };
}
/** What a server is given by name: its environment, or its headers. */
export function valuesOf(config: ServerConfig): Record<string, string> {
  return config.kind === 'stdio' ? config.env : (config.headers ?? {});
}

/** Comments and commas at the end, as VS Code allows them; an entry without braces around it, as READMEs show it. */
function readJson(text: string, where: string): unknown {
  const bare = text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, word: string | undefined) => word ?? '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*(?:[}\]]|$))/g, (_, word: string | undefined) => word ?? '');
  for (const one of [text, bare, `{${bare}}`])
    try {
      return JSON.parse(one);
    } catch {
      // The next way to read it; what is wrong is said of the text as it was given.
    }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure('servers.file', `${where} cannot be read as JSON: ${reason(error)}. Nothing was added.`);
  }
}
function isOurs(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'kind' in json;
}

/** An entry of another program as a configuration of ours; the prefix is made of its name. */
function ours(name: string, one: Entry, where: string): unknown {
  const prefix =
    name
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 32) || 'server';
  const enabled = !one.disabled;
  const text = (value: string) => ourVariables(value, `${where}: “${name}”`);
  if ('command' in one) {
    if (one.args.some((value) => asked.test(value)))
      throw new Failure(
        'servers.file',
        `${where}: “${name}” asks for a value in its arguments. Write it there, or give it by an environment variable. Nothing was added.`,
      );
    const env = mapped(one.env, text);
    const secrets = Object.keys(env).filter((key) => looksSecret(key) || asked.test(env[key] ?? ''));
    return { prefix, enabled, kind: 'stdio', command: text(one.command), args: one.args.map(text), env, secrets };
  }
  if (one.type === 'sse')
    throw new Failure(
      'servers.file',
      `${where}: “${name}” speaks HTTP+SSE, which was replaced in 2025 and which this desk does not speak. Ask its maker for its address of Streamable HTTP. Nothing was added.`,
    );
  const headers = mapped(one.headers, text);
  const secrets = Object.keys(headers).filter((key) => looksSecret(key) || asked.test(headers[key] ?? ''));
  return {
    prefix,
    enabled,
    kind: 'http',
    url: text(one.url),
    secrets,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}
function mapped(of: Record<string, string>, by: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, by(value)]));
}
/** `${env:NAME}` and `${NAME}` are variables of whoever starts the desk; what only another program knows is refused. */
function ourVariables(text: string, where: string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    const [, variable] = /^(?:env:)?([A-Z0-9_]+)$/.exec(name) ?? [];
    if (variable !== undefined) return `{env:${variable}:}`;
    if (asked.test(whole)) return whole;
    throw new Failure(
      'servers.file',
      `${where} uses ${whole}, which only the program it is from knows. Write what it stands for. Nothing was added.`,
    );
  });
}
/** Of a single entry: the program or the host, without what says nothing. */
function nameOf(one: Entry): string {
  if ('url' in one)
    return /^\w+:\/\/(?:[^/?#@]*@)?(?:[^/?#:]*\.)?([^./?#:]+)\.[^./?#:]+(?=[/?#:]|$)/.exec(one.url)?.[1] ?? 'server';
  const said = [...one.args].reverse().find((value) => !value.startsWith('-')) ?? one.command;
  return (
    said
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.[a-z]+$/i, '')
      .replace(/^server-/, '') ?? 'server'
  );
}
