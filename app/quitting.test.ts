import { expect, it } from 'vitest';
import { quits, quittingAsks } from './quitting.ts';

it('says how many questions end with the desk and what becomes of their calls; whoever only closes it stays', () => {
  expect(quittingAsks(1)).toMatchObject({
    message: '1 question of an older server is open',
    detail: expect.stringMatching(/^Quitting closes it and ends its call: .* not known/) as string,
  });
  const { message, detail, buttons = [], cancelId, defaultId } = quittingAsks(3);
  expect(message).toBe('3 questions of older servers are open');
  expect(detail).toMatch(/^Quitting closes them and ends their calls: .* not known/);
  expect([buttons[quits], buttons[cancelId ?? -1], buttons[defaultId ?? -1]]).toEqual(['Quit', 'Stay', 'Stay']);
});
