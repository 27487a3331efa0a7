// What a view holds is what the host holds: events in sequence, gaps, lost lines, deadlines.
import { expect, test } from 'vitest';
import type { Answer, Message } from '../shared/contract.ts';
import type { ShellSays } from '../shared/shell.ts';
import { createDesk, type Dial } from './desk.ts';

/** The host's end of each line that was dialled, in order. */
function lines() {
  const ends: {
    says: (answer: Answer) => void;
    shell: (says: ShellSays) => void;
    gone: () => void;
    heard: Message[];
  }[] = [];
  const dial: Dial = (on) => {
    const heard: Message[] = [];
    ends.push({ says: (answer) => on.text(JSON.stringify(answer)), shell: on.shell, gone: on.gone, heard });
    return Promise.resolve({
      // What the desk sends is a message by its own types.
      send: (text) => heard.push(JSON.parse(text) as Message),
      close: on.gone,
    });
  };
  return { dial, ends };
}
function event(seq: number): Answer {
  return { event: { seq, feature: 'people', id: 'a', revision: seq, gone: true } };
}
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function following() {
  const { dial, ends } = lines();
  let retry: () => void = () => undefined;
  const desk = createDesk(dial, () => new Promise((resolve) => (retry = resolve)));
  const seen = { lists: 0, changes: 0 };
  desk.follow('people', { list: () => seen.lists++, change: () => seen.changes++ });
  void desk.connect();
  return { desk, ends, seen, again: () => retry() };
}

test('a feature lists once on a new line and then takes each event', async () => {
  const { ends, seen } = following();
  await settled();
  ends[0]?.says(event(1));
  ends[0]?.says(event(2));
  expect(seen).toEqual({ lists: 1, changes: 2 });
});

test('a gap in the sequence lists again instead of showing half', async () => {
  const { ends, seen } = following();
  await settled();
  ends[0]?.says(event(1));
  ends[0]?.says(event(3));
  expect(seen).toEqual({ lists: 2, changes: 1 });
  ends[0]?.says(event(4));
  expect(seen).toEqual({ lists: 2, changes: 2 });
});

test('a lost line fails what waits, says so, and lists again on the next one', async () => {
  const { desk, ends, seen, again } = following();
  await settled();
  const asked = desk.ask('people.list', {});
  ends[0]?.gone();
  await expect(asked).rejects.toMatchObject({
    code: 'desk.lost',
    data: { sent: true },
    message: expect.stringContaining('may be done or not') as string,
  });
  await expect(desk.ask('people.list', {})).rejects.toMatchObject({
    data: { sent: false },
    message: expect.stringMatching('was not done: do it again') as string,
  });
  expect(desk.state.getState().state).toBe('lost');
  again();
  await settled();
  expect(ends).toHaveLength(2);
  expect(desk.state.getState().state).toBe('open');
  ends[1]?.says(event(1));
  expect(seen).toEqual({ lists: 2, changes: 1 });
});

test('nothing is listed or asked before it is said who acts', async () => {
  const { dial, ends } = lines();
  const desk = createDesk(dial);
  let lists = 0;
  desk.follow('people', { list: () => lists++, change: () => undefined });
  desk.onOpen(async (ask) => {
    await ask('people.me', {});
  });
  void desk.connect();
  await settled();
  const asked = desk.ask('people.list', {});
  const stop = new AbortController();
  const stopped = desk.ask('people.list', {}, { signal: stop.signal });
  stop.abort();
  await settled();
  const routes = () => ends[0]?.heard.flatMap((one) => ('route' in one ? [one.route] : []));
  expect(lists).toBe(0);
  expect(routes()).toEqual(['people.me']);
  ends[0]?.says({ id: 0, ok: true, value: null });
  await settled();
  expect(lists).toBe(1);
  expect(routes()).toEqual(['people.me', 'people.list']);
  await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
  ends[0]?.says({ id: 1, ok: true, value: [] });
  expect(await asked).toEqual([]);
});

test('what waits for it to be said who acts was not done where the line goes meanwhile', async () => {
  const { dial, ends } = lines();
  const desk = createDesk(dial, () => Promise.resolve());
  desk.onOpen(async (ask) => {
    await ask('people.me', {});
  });
  void desk.connect();
  await settled();
  const asked = desk.ask('people.list', {});
  ends[0]?.gone();
  await expect(asked).rejects.toMatchObject({ code: 'desk.lost', data: { sent: false } });
});

test('a command of the window comes with what it is about', async () => {
  const { desk, ends } = following();
  const run: unknown[] = [];
  desk.onCommand((...given) => run.push(given));
  await settled();
  ends[0]?.shell({ command: 'go.queue' });
  ends[0]?.shell({ command: 'go.inbox', open: 'q-1' });
  expect(run).toEqual([
    ['go.queue', null],
    ['go.inbox', 'q-1'],
  ]);
});

test('a coded failure comes through, a late answer is stopped at the host', async () => {
  const { desk, ends } = following();
  await settled();
  const refused = desk.ask('people.list', {});
  ends[0]?.says({ id: 0, ok: false, failure: { code: 'people.role', message: 'Only an admin.' } });
  await expect(refused).rejects.toMatchObject({ code: 'people.role', message: 'Only an admin.' });
  await expect(desk.ask('people.list', {}, { deadline: 1 })).rejects.toMatchObject({ code: 'desk.slow' });
  expect(ends[0]?.heard).toContainEqual({ cancel: 1 });
});
