// The playbook's conditions, decided over the calls of one run (spec playbook, `requires` and `needs`).
import { at, type Json } from '../shared/json.ts';
import type { Condition, Playbook } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import type { Plan } from './slots/plan.ts';

export interface Situation {
  ticket: Ticket;
  ledger: LedgerEntry[];
  /** Plans of every tool of the run, by name. */
  plans: Map<string, Plan>;
}

/** True where every condition holds now. */
export function holds(conditions: Condition[], situation: Situation): boolean {
  return conditions.every((condition) => one(condition, situation));
}

function one(condition: Condition, { ticket, ledger, plans }: Situation): boolean {
  const calls = ledger.filter((entry) => entry.tool === condition.call);
  const plan = plans.get(condition.call);
  if (condition.outcome === 'none') return calls.length === 0;
  if (condition.outcome === 'any') return calls.length > 0;
  if (condition.outcome === 'cannot')
    return calls.some((entry) => entry.outcome === 'result')
      ? false
      : calls.length > 0 || plan === undefined || plan.missing.length > 0;
  const last = calls.findLast((entry) => entry.outcome === condition.outcome);
  if (last === undefined) return false;
  if (condition.bound === true && !last.bound) return false;
  if (
    condition.complete === true &&
    plan !== undefined &&
    (plan.ambiguous.length > 0 || (!plan.repeats && plan.missing.length === 0))
  )
    return false;
  if (condition.field === undefined) return true;
  const value = at(last.structured, condition.field);
  const other = condition.ref === undefined ? condition.value : referred(condition.ref, ticket, ledger);
  return compare(condition.op ?? 'present', value, other);
}

function referred(ref: NonNullable<Condition['ref']>, ticket: Ticket, ledger: LedgerEntry[]): Json | undefined {
  if (ref === 'ticket.customer') return ticket.customer;
  if (ref === 'ticket.received_at') return ticket.received_at.slice(0, 10);
  return at(ledger.findLast((entry) => entry.tool === ref.call && entry.outcome === 'result')?.structured, ref.field);
}

function compare(op: NonNullable<Condition['op']>, value: Json | undefined, other: Json | undefined): boolean {
  const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  switch (op) {
    case 'present':
      return !empty;
    case 'absent':
      return empty;
    case 'eq':
      return value === other;
    case 'gt':
    case 'le': {
      const [left, right] = [numberOf(value), numberOf(other)];
      if (Number.isNaN(left) || Number.isNaN(right)) return false;
      return op === 'gt' ? left > right : left <= right;
    }
    case 'before':
      return typeof value === 'string' && typeof other === 'string' && value < other;
  }
}

/** A number or one written as text; anything else, nothing included, is none. */
function numberOf(value: Json | undefined): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
}

/** Whether a result belongs to the ticket's customer by a binding of the playbook. */
export function isBound(playbook: Playbook, ticket: Ticket, tool: string, structured: Json | undefined): boolean {
  return (
    ticket.customer !== null &&
    playbook.bind.some((bind) => bind.tool === tool && at(structured, bind.field) === ticket.customer)
  );
}
