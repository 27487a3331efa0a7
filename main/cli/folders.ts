// Where things are: the platform's data folder, the sample company's profile.
import { homedir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The default data folder of this platform. */
export function defaultData(): string {
  if (process.platform === 'win32')
    return path.join(process.env['APPDATA'] ?? path.join(homedir(), 'AppData', 'Roaming'), 'desk');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'desk');
  return path.join(process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'), 'desk');
}

/** The profile a new data folder starts from. */
export const sampleProfile = path.join(root, 'demo', 'profile.json');
