// For tests that call a tool of a server which may come up after the desk did.
import { vi } from 'vitest';
import type { Host } from '../main/host.ts';
import { screenMs } from './screenTools.ts';

/** The tool of that name, `{prefix}.{tool}`, once it is offered. */
export function offeredTool({ servers }: Pick<Host, 'servers'>, wanted: string) {
  return vi.waitFor(async () => {
    const found = (await servers.offered()).tools.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`${wanted} is not offered`);
    return found;
  }, screenMs);
}
