/**
 * Serves the carrier's parcel tracking, as `serving.ts` says; `--release clean|updated|collides` (clean) picks one of its
 * releases.
 */
import { refuse } from '../environment.ts';
import { partnerOffer, releases } from '../partner/parcels.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createToolServer } from '../toolServer.ts';

const options = readServingOptions('partner', ['release']);
const wanted = options.own.release ?? 'clean';
const release = releases.find((known) => known === wanted);
if (!release) refuse('partner', `--release ${wanted} is wrong: the releases are ${releases.join(', ')}`);
const offer = partnerOffer(release);
serve(
  'partner',
  options,
  () => createToolServer(offer),
  () => undefined,
);
