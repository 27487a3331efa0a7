// What a handler of the contract is: one a route, by type, with who asks and how they stop it.
import type { ParamsOf, RouteName, ValueOf } from '../shared/contract.ts';
import type { Person } from '../shared/people.ts';
import type { Session } from './people.ts';

export interface Asked {
  /** Who acts; their role was checked. Only where the route asks for one. */
  by: () => Person;
  signal: AbortSignal;
  /** Of the connection that asks. */
  session: Session;
}
type Handler<R extends RouteName> = (params: ParamsOf<R>, asked: Asked) => Promise<ValueOf<R>>;
export type Handlers = { [R in RouteName]: Handler<R> };
