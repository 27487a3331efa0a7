/** Whose records a request may see: decided from the ticket the host names or from who signed in, never from an argument. */
import { ProtocolError, ProtocolErrorCode, type AuthInfo } from '@modelcontextprotocol/server';
import type { ShopApi } from './shopApi.ts';
import type { Scope } from './tool.ts';

/** The `_meta` key under which a host names the ticket it works; the server reads the ticket's customer itself. */
const TICKET_KEY = 'example.fernhill/ticket';

export type WhoAsks = (
  api: ShopApi,
  meta: Record<string, unknown> | undefined,
  authInfo: AuthInfo | undefined,
) => Promise<Scope>;

/** The staff's server: everybody's records, or those of the customer of the ticket. */
export const byTicket: WhoAsks = async (api, meta) => {
  const ticket = meta?.[TICKET_KEY];
  if (ticket === undefined) return { api, customer: undefined, caller: 'staff' };
  if (typeof ticket !== 'string') {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `_meta["${TICKET_KEY}"] must be the ID of a ticket, like T-0613.`,
    );
  }
  // A ticket the shop does not know has no customer, and so sees nobody's records.
  return { api, customer: (await api.customerOfTicket(ticket)) ?? null, caller: `ticket ${ticket}` };
};

/** The customers' server: the customer the token names; over stdio the one the process was started for. */
export function bySignIn(startedFor: AuthInfo | undefined): WhoAsks {
  return (api, _meta, authInfo) => {
    const customer = (authInfo ?? startedFor)?.clientId ?? null;
    return Promise.resolve({ api, customer, caller: `customer ${customer ?? 'nobody'}` });
  };
}
