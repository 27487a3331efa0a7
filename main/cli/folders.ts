// The company a new data folder starts from.
import path from 'node:path';

export const sampleProfile = path.resolve(import.meta.dirname, '../../demo/profile.json');

/** The profile that DESK_PROFILE names, else the sample company's. A variable that is set to nothing counts as not set. */
export function startProfile(): string {
  return process.env['DESK_PROFILE'] || sampleProfile;
}
