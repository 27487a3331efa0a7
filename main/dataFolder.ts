// Where the desk keeps its data, by platform.
import { homedir } from 'node:os';
import path from 'node:path';

/** The default data folder of this platform. */
export function defaultData(): string {
  if (process.platform === 'win32')
    return path.join(process.env['APPDATA'] ?? path.join(homedir(), 'AppData', 'Roaming'), 'desk');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'desk');
  return path.join(process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'), 'desk');
}
