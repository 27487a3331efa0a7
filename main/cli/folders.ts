// The sample company's profile: what a new data folder starts from.
import path from 'node:path';

export const sampleProfile = path.resolve(import.meta.dirname, '../../demo/profile.json');
