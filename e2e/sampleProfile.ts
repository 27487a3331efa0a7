// The sample company's profile with something changed, for the end-to-end tests. Its own files stay where they are.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const demo = path.join(import.meta.dirname, '../demo');

/** Writes the profile into a folder and returns its file; `http`: its shop alone, over HTTP; `playbook`: another one. */
export function sampleProfile(
  folder: string,
  { http = false, playbook }: { http?: boolean; playbook?: string },
): string {
  const text = readFileSync(path.join(demo, 'profile.json'), 'utf8').replaceAll('{profile}', demo);
  const profile = JSON.parse(text) as {
    tickets: string;
    playbook: string;
    services: object[];
    servers: { prefix: string; command: string; args: string[]; env: object }[];
  }; // as demo/profile.json is written
  const shop = profile.servers.find((server) => server.prefix === 'shop');
  if (shop === undefined) throw new Error('the profile has no shop');
  const { command, args, env, ...rest } = shop;
  const over = { ...rest, kind: 'http', url: '{service:shop}', secrets: [] };
  const file = path.join(folder, 'profile.json');
  const changed = {
    ...profile,
    tickets: path.join(demo, profile.tickets),
    playbook: playbook ?? path.join(demo, profile.playbook),
    ...(playbook !== undefined && {
      playbook_sha256: createHash('sha256').update(readFileSync(playbook)).digest('hex'),
    }),
    ...(http && {
      services: [...profile.services, { name: 'shop', command, args: [...args, '--http', '0'], env }],
      servers: [over],
    }),
  };
  writeFileSync(file, JSON.stringify(changed));
  return file;
}
