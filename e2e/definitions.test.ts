// An outside party changes what its tool says (spec host §7): the tool is out until an admin has seen the words and decided.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDesk, type Ended } from './deskProgram.ts';

const desk = temporaryDesk();
const admin = ['--as', 'staff-0001'];

beforeAll(async () => {
  const { stdout } = await desk.run('approve', 'partner', '--yes', ...admin);
  expect(stdout).toContain('partner.track_parcel is approved');
  // What was never decided on is shown whole, in words.
  expect(stdout).toContain('· tracking_number (needed, string): The tracking number, like FX-90417728.  {"pattern"');
  expect(stdout).toContain('annotations: {"readOnlyHint":true');
});
afterEach(() => {
  delete process.env['PARTNER_RELEASE'];
});
afterAll(() => desk.remove());

/** Runs a command while the partner has a release out. */
async function under(release: string, ...args: string[]): Promise<Ended> {
  process.env['PARTNER_RELEASE'] = release;
  return desk.run(...args);
}
/** How the tools of the partner stand. */
async function standing(release: string): Promise<Record<string, string>> {
  const { stdout } = await under(release, '--json', 'servers', 'check', 'partner');
  const { tools } = JSON.parse(stdout) as { tools: { tool: string; status: string }[] }; // as the command prints it
  return Object.fromEntries(tools.map(({ tool, status }) => [tool, status]));
}

describe('the partner changes a description', () => {
  it('its tool is out of the model’s list, and only an admin lets it in', async () => {
    expect(await standing('clean')).toEqual({ track_parcel: 'approved' });
    expect(await standing('updated')).toEqual({ track_parcel: 'changed' });
    const doctor = await under('updated', 'doctor');
    expect(doctor.stdout).toContain('partner.track_parcel: changed since it was approved');
    const refused = await under('updated', 'approve', 'partner', '--yes', '--as', 'staff-0002');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Only an admin');
    expect(await standing('updated')).toEqual({ track_parcel: 'changed' });
  });

  it('the difference is shown in words, invisible characters drawn', async () => {
    const { stdout, code } = await under('updated', 'approve', 'partner');
    expect(code).toBe(3);
    expect(stdout).toContain('partner.track_parcel  changed');
    expect(stdout).toMatch(/description: .*\{\+.+\+\}/s);
    expect(stdout).toContain('⟨U+2060⟩');
    expect(stdout).not.toContain('\u2060');
    expect(stdout).not.toContain('inputSchema');
  });

  it('refused it stays out, with the reason kept; the release as it was is in again', async () => {
    const why = 'It asks for what is none of its business.';
    const { stdout } = await under('updated', 'approve', 'partner', '--refuse', '--why', why, ...admin);
    expect(stdout).toContain('partner.track_parcel is refused by staff-0001');
    expect(await standing('updated')).toEqual({ track_parcel: 'refused' });
    const history = await under('updated', 'approve', 'partner.track_parcel', '--history');
    expect(history.stdout).toMatch(/refused by staff-0001.*none of its business/);
    expect(history.stdout).toMatch(/approved by staff-0001/);
    // The last decision was on other words: what is offered now is looked at again.
    expect(await standing('clean')).toEqual({ track_parcel: 'changed' });
    await under('clean', 'approve', 'partner', '--yes', ...admin);
    expect(await standing('clean')).toEqual({ track_parcel: 'approved' });
  });
});

describe('the partner offers a tool by the name of one of the shop', () => {
  it('it is another tool under its own prefix, out until it is approved, and the shop’s stays as it is', async () => {
    expect(await standing('collides')).toEqual({ track_parcel: 'approved', get_order_status: 'new' });
    const { stdout } = await under('collides', '--json', 'servers', 'check', 'shop');
    const { tools } = JSON.parse(stdout) as { tools: { tool: string; status: string }[] }; // as the command prints it
    expect(tools.find(({ tool }) => tool === 'get_order_status')?.status).toBe('approved');
    await under('collides', 'approve', 'partner', '--yes', ...admin);
    expect(await standing('collides')).toEqual({ track_parcel: 'approved', get_order_status: 'approved' });
  });
});
