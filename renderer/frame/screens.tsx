// The screens of the rail, in its order: word, drawing, what shows there, and how many wait.
import { Models } from '../models/Models.tsx';
import { Definitions, useDefinitionsWaiting } from '../pins/Definitions.tsx';
import type { ScreenId } from '../place.ts';
import { Inbox } from '../questions/Inbox.tsx';
import { useInboxWaiting } from '../questions/waiting.ts';
import { Runs } from '../runs/Runs.tsx';
import { Servers, useServersWaiting } from '../servers/Servers.tsx';
import { Queue } from '../tickets/Queue.tsx';

interface ScreenEntry {
  words: string;
  /** Path of the drawing on 20 × 20. */
  icon: string;
  Screen: () => React.ReactNode;
  /** A hook: how many things wait there for a person. */
  useWaiting: () => number;
}

function none(): number {
  return 0;
}

export const screens: Record<ScreenId, ScreenEntry> = {
  queue: { words: 'Queue', icon: 'M3 5h14M3 10h14M3 15h9', Screen: Queue, useWaiting: none },
  inbox: {
    words: 'Inbox',
    icon: 'M3 11l2-7h10l2 7v5H3zM3 11h4l1 2h4l1-2h4',
    Screen: Inbox,
    useWaiting: useInboxWaiting,
  },
  tools: {
    words: 'Tools',
    icon: 'M4 3h8l4 4v10H4zM12 3v4h4M7 11h6M7 14h4',
    Screen: Definitions,
    useWaiting: useDefinitionsWaiting,
  },
  runs: { words: 'Runs', icon: 'M3 16V9M8 16V4M13 16v-5M18 16V7', Screen: Runs, useWaiting: none },
  servers: {
    words: 'Servers',
    icon: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
    Screen: Servers,
    useWaiting: useServersWaiting,
  },
  model: {
    words: 'Model',
    icon: 'M6 6h8v8H6zM8 2v4M12 2v4M8 14v4M12 14v4M2 8h4M2 12h4M14 8h4M14 12h4',
    Screen: Models,
    useWaiting: none,
  },
};
