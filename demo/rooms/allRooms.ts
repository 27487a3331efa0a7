/** The one resource of the rooms server: which rooms there are. Who has them when is for the tools to say. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Resources } from '../toolServer.ts';
import { rooms } from './bookings.ts';

const uri = 'rooms://all';
const mimeType = 'application/json';
const text = JSON.stringify({ rooms });

export const allRooms: Resources = {
  list: () => ({
    resources: [
      {
        uri,
        name: 'all-rooms',
        title: 'All meeting rooms',
        description: 'Every room with its seats and floor.',
        mimeType,
        size: Buffer.byteLength(text),
        annotations: { audience: ['assistant'], priority: 0.5 },
      },
    ],
  }),
  read: (asked) => {
    if (asked !== uri) throw new ResourceNotFoundError(asked, 'There is no such resource.');
    return { contents: [{ uri, mimeType, text }] };
  },
};
