// Limits on servers on the command line (spec trust, "Limits"): read by everybody, set by an admin, in force at the next start.
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryDesk } from './deskProgram.ts';

const desk = temporaryDesk();
afterAll(() => desk.remove());
const admin = ['--as', 'staff-0001'];
const checked = z.object({ tools: z.array(z.object({ tool: z.string(), status: z.string() })) });
async function offered(): Promise<string[]> {
  const { stdout } = await desk.run('--json', 'servers', 'check', 'shop');
  const { tools } = checked.parse(JSON.parse(stdout));
  return tools.filter(({ status }) => status === 'approved').map(({ tool }) => tool);
}

describe('desk limits', () => {
  it('lists each with its value, range and what it is for', async () => {
    const { stdout, code } = await desk.run('limits');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tools +512 tools {2}\(1 to 4096\)\n {2}How many tools of one server are read/m);
  });
  it('sets one for good: the next start of the shop reads fewer tools, and it can be taken back', async () => {
    expect(await offered()).toHaveLength(5);
    const set = await desk.run('limits', 'set', 'tools', '3', ...admin);
    expect(set.stdout).toContain('“tools” is 3 tools (usually 512). A server that runs keeps what it started with');
    expect((await desk.run('limits')).stdout).toContain('3 tools, usually 512');
    expect(await offered()).toHaveLength(3);
    expect((await desk.run('limits', 'reset', 'tools', ...admin)).stdout).toContain('512 tools, as usual');
    expect(await offered()).toHaveLength(5);
    const { stdout } = await desk.run('people', 'acts', ...admin);
    expect(stdout).toMatch(/staff-0001 +limits\.set +tools as usual\n.*staff-0001 +limits\.set +tools 3\n/);
  });
  it.each([
    [['set', 'tools', '0', ...admin], 1, '“tools” is a whole number from 1 to 4096'],
    [['set', 'tools', 'many', ...admin], 2, '“many” is no whole number'],
    [['set', 'tool', '4', ...admin], 1, 'There is no limit “tool”. Known: message-size, '],
    [['set', 'tools', '4', '--as', 'staff-0002'], 1, 'Only an admin sets limits for servers'],
    [['reset', 'tools', '--as', 'staff-0007'], 1, 'Only an admin sets limits for servers'],
    [['set', 'tools'], 2, 'set NAME VALUE'],
    [['raise', 'tools', '4'], 2, 'set NAME VALUE'],
  ])('refuses %j in words', async (args, code, words) => {
    const ended = await desk.run('limits', ...args);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(words) as string });
  });
});
