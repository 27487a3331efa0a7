// Instructions of servers before the model (spec host §§8, 21): read only where an admin approved them as they are now, as
// words from outside without a role. Until somebody approves them they are not read, and nobody is asked to.
import { z } from 'zod';
import { reason } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import { instructionsName } from '../shared/pins.ts';
import type { Pins } from './pins.ts';
import type { ServerInstructions } from './prompt.ts';
import type { Servers } from './servers.ts';

/** With what pins it: the hashes of the definition and of the server's configuration. */
export interface Instructed extends ServerInstructions {
  definition: string;
  configuration: string;
}
interface Deps {
  servers: Pick<Servers, 'all' | 'review'>;
  pins: Pick<Pins, 'history'>;
}

/** Of every server that runs, in its order; what was approved and reads otherwise now is left out, and named. */
export async function instructed({ servers, pins }: Deps): Promise<{ instructions: Instructed[]; problems: string[] }> {
  const instructions: Instructed[] = [];
  const problems: string[] = [];
  for (const { config, connection } of servers.all()) {
    const name = `${config.prefix}/instructions`;
    // One that does not run is told of with its tools; words that nobody approved are not even asked for.
    if (connection.status().state !== 'ready') continue;
    if ((await pins.history(name, instructionsName)).at(-1)?.decision !== 'approved') continue;
    try {
      for (const { status, pin, definition: now } of await servers.review(name))
        if (status === 'approved' && pin !== undefined) {
          const { hash: definition, configuration } = pin;
          instructions.push({ prefix: config.prefix, text: instructionsIn(pin.raw), definition, configuration });
        } else if (status === 'parked')
          problems.push(`${config.prefix}: its instructions are not read: ${now.problem ?? 'they cannot be used'}`);
        else if (status === 'changed')
          problems.push(
            `${config.prefix}: its instructions changed since they were approved and are not read; an admin decides with "desk approve ${name}"`,
          );
    } catch (error) {
      problems.push(reason(error));
    }
  }
  return { instructions, problems };
}

/** The words of a definition of instructions. */
export function instructionsIn(raw: JsonObject): string {
  const { instructions } = raw;
  return typeof instructions === 'string' ? instructions : '';
}

const kept = z.record(z.string(), z.object({ definition: z.string(), configuration: z.string() }));

/** The part of a run's settings about what it read of servers' instructions; empty where it read none. */
export function keepInstructions(read: Instructed[]): JsonObject {
  if (read.length === 0) return {};
  const pinned = read.map(({ prefix, definition, configuration }) => [prefix, { definition, configuration }] as const);
  return { instructions: Object.fromEntries(pinned) };
}

/** Whether instructions a run read are approved no more as it read them (spec host §13). */
export async function instructionsMoved(pins: Pick<Pins, 'approved'>, settings: JsonObject): Promise<boolean> {
  for (const [prefix, one] of Object.entries(kept.safeParse(settings['instructions']).data ?? {})) {
    const pin = await pins.approved(`${prefix}/instructions`, instructionsName, one.configuration);
    if (pin?.hash !== one.definition) return true;
  }
  return false;
}
