/** Serves meeting rooms, as `serving.ts` says. Environment, as `dataFolder.ts` says: ROOMS_DATA, ROOMS_STATE_TTL, ROOMS_CLOCK. */
import { openDataFolder } from '../dataFolder.ts';
import { bookRoom, checkAvailability } from '../rooms/booking.ts';
import { createBookings, ROOMS_TABLES } from '../rooms/bookings.ts';
import { allRooms } from '../rooms/allRooms.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createToolServer } from '../toolServer.ts';

const options = readServingOptions('rooms');
const asking = openDataFolder('rooms', ROOMS_TABLES);
const bookings = createBookings(asking);
const offer = {
  name: 'rooms',
  title: 'Fernhill Supply meeting rooms',
  version: '1.0.0',
  instructions: 'Meeting rooms of Fernhill Supply, booked by the day.',
  tools: [checkAvailability(bookings), bookRoom(asking, bookings)],
  resources: allRooms,
};
serve(
  'rooms',
  options,
  () => createToolServer(offer),
  () => asking.db.close(),
);
