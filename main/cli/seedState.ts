// `--seed-state`: a command on a fresh data folder that lends its models from the real one. Runs that are to be compared or
// recorded begin there, and nothing of the person's is changed.
import { lendModels, trialFolder } from '../trialFolder.ts';
import type { Context } from './context.ts';

/** The command with the fresh folder as its data; the folder is removed after it. */
export async function inSeedState(context: Context, command: (trial: Context) => Promise<number>): Promise<number> {
  const { data } = context.global;
  const trial = trialFolder(data);
  try {
    await lendModels(data, trial.data, { now: () => Date.now() });
    return await command({ ...context, global: { ...context.global, data: trial.data } });
  } finally {
    trial.remove();
  }
}
