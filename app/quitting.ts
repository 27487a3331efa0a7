// What quitting ends, in words (spec host §20): questions of older servers wait on the wire, and only while the desk runs.
import type { MessageBoxOptions } from 'electron';

/** The answer that quits; the other stays, and so does whoever closes the dialog. */
export const quits = 1;

export function quittingAsks(open: number): MessageBoxOptions {
  const [questions, them, calls] =
    open === 1
      ? ['1 question of an older server is', 'it', 'its call']
      : [`${open} questions of older servers are`, 'them', 'their calls'];
  return {
    type: 'warning',
    message: `${questions} open`,
    detail: `Quitting closes ${them} and ends ${calls}: what may have been done by then is not known, and somebody has to look it up. Everything else that waits is kept.`,
    buttons: ['Stay', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
