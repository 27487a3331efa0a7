import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killWith, leftAfter, processesWith, temporaryDesk, type Running } from './deskProgram.ts';

const desk = temporaryDesk();
beforeAll(() => desk.useTinyModel());
afterAll(() => {
  killWith(desk.data);
  desk.remove();
});

/** A desk in the middle of its tickets, with everything it starts: model, guards, shop server, API. */
async function working(): Promise<{ running: Running; started: string[] }> {
  const running = desk.start('work', '--all', '--threads', '2');
  await running.says('T-0001');
  return { running, started: processesWith(desk.data).map(({ command }) => command) };
}
function expectAll(started: string[]): void {
  for (const part of ['desk.ts', 'worker.ts', 'guard.mjs', 'servers/shop.ts', 'demo/api.ts'])
    expect(started.some((command) => command.includes(part))).toBe(true);
}

describe.skipIf(process.platform !== 'linux')('nothing the desk started outlives it (spec trust 7)', () => {
  it('stopped by the person: 130, what was done is kept', async () => {
    const { running, started } = await working();
    expectAll(started);
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(await leftAfter(desk.data)).toEqual([]);
    expect(code).toBe(130);
    expect(stderr).toContain('what was done is kept');
    expect(stdout).toContain('T-0001');
    const tickets = await desk.run('tickets', '--json');
    const states = JSON.parse(tickets.stdout) as { id: string; state: string }[]; // the desk's own list of tickets
    expect(states.find((ticket) => ticket.id === 'T-0001')?.state).not.toBe('open');
    expect(states.find((ticket) => ticket.id === 'T-0048')?.state).toBe('open');
  });

  it('killed with -9; the next start works on the same folder', async () => {
    const { running, started } = await working();
    expectAll(started);
    running.kill('SIGKILL');
    await running.ended;
    expect(await leftAfter(desk.data)).toEqual([]);
    const next = await desk.run('tickets', '--view', 'open');
    expect(next).toMatchObject({ code: 0, stderr: '' });
  });

  it('ended by itself', async () => {
    const { code } = await desk.run('work', '--ticket', 'T-0002', '--threads', '2');
    expect([0, 3]).toContain(code);
    expect(await leftAfter(desk.data)).toEqual([]);
  });
});
