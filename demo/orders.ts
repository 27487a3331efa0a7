/** The 1,500 generated orders: the hand-written ones of `pinned.ts` in their places, the others drawn around them. */
import { addDays, daysBetween } from './calendar.ts';
import { busiest, fullyPinned, pinnedOrders, type PinnedOrder, type Status } from './pinned.ts';
import { priceOf, products } from './products.ts';
import type { Random } from './random.ts';

interface OrderLine {
  sku: string;
  quantity: number;
  unit_price_cents: number;
}

export interface Order {
  order_id: string;
  customer_id: string;
  status: Status;
  placed_on: string;
  shipped_on: string | null;
  delivered_on: string | null;
  returned_on: string | null;
  lines: OrderLine[];
  shipping_cents: number;
  total_cents: number;
}

const FIRST = 1001;
const LAST = 2500;
const SHIPPING = 499;
const FREE_SHIPPING_FROM = 7500;
/** The last whole day before the sample company's "now". */
const YESTERDAY = '2026-06-29';

/** Business grew: order numbers and the days they were reached. */
const milestones: readonly (readonly [number, string])[] = [
  [1001, '2026-03-02'],
  [1500, '2026-04-14'],
  [1864, '2026-05-12'],
  [2200, '2026-06-04'],
  [2456, '2026-06-21'],
  [2500, '2026-06-29'],
];

function placedOn(number: number): string {
  for (const [index, [end, endDay]] of milestones.entries()) {
    const start = milestones[index - 1];
    if (number > end || !start) continue;
    const span = daysBetween(start[1], endDay);
    return addDays(start[1], Math.trunc(((number - start[0]) * span) / (end - start[0])));
  }
  return milestones[0]?.[1] ?? YESTERDAY;
}

function priced(
  lines: readonly (readonly [string, number])[],
): Pick<Order, 'lines' | 'shipping_cents' | 'total_cents'> {
  const bought = lines.map(([sku, quantity]) => ({ sku, quantity, unit_price_cents: priceOf(sku) }));
  const goods = bought.reduce((sum, line) => sum + line.quantity * line.unit_price_cents, 0);
  const shipping_cents = goods >= FREE_SHIPPING_FROM ? 0 : SHIPPING;
  return { lines: bought, shipping_cents, total_cents: goods + shipping_cents };
}

function fromPinned(pinned: PinnedOrder): Order {
  const placed_on = pinned.placed ?? placedOn(pinned.number);
  const left = pinned.status !== 'placed' && pinned.status !== 'cancelled';
  const shipped_on = left ? (pinned.shipped ?? addDays(placed_on, 1)) : null;
  const arrived = pinned.status === 'delivered' || pinned.status === 'returned';
  const delivered_on = arrived && shipped_on ? (pinned.delivered ?? addDays(shipped_on, 3)) : null;
  const returned_on =
    pinned.status === 'returned' && delivered_on ? (pinned.returned ?? addDays(delivered_on, 9)) : null;
  return {
    order_id: `O-${String(pinned.number)}`,
    customer_id: pinned.customer,
    status: pinned.status,
    placed_on,
    shipped_on,
    delivered_on,
    returned_on,
    ...priced(pinned.lines),
  };
}

function drawDates(
  random: Random,
  placed_on: string,
): Omit<Order, 'order_id' | 'customer_id' | 'lines' | 'shipping_cents' | 'total_cents'> {
  const nothing = { placed_on, shipped_on: null, delivered_on: null, returned_on: null };
  const fate = random.below(100);
  const backOrdered = random.below(60) === 0;
  const shipped_on = addDays(placed_on, backOrdered ? random.between(14, 30) : random.between(1, 3));
  const delivered_on = addDays(shipped_on, random.between(2, 5));
  const returned_on = addDays(delivered_on, random.between(5, 14));
  if (fate < 4) return { ...nothing, status: 'cancelled' };
  if (shipped_on > YESTERDAY) return { ...nothing, status: 'placed' };
  if (delivered_on > YESTERDAY) return { ...nothing, status: 'shipped', shipped_on };
  if (fate < 11 && returned_on <= YESTERDAY)
    return { ...nothing, status: 'returned', shipped_on, delivered_on, returned_on };
  return { ...nothing, status: 'delivered', shipped_on, delivered_on };
}

function drawLines(random: Random): [string, number][] {
  const lines = new Map<string, number>();
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  while (lines.size < count) {
    const sku = products.at(random.below(products.length))?.sku ?? 'KG-1001';
    lines.set(sku, random.below(4) === 0 ? 2 : 1);
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The numbers that go to the customer with a hundred orders. */
function busiestNumbers(random: Random, free: readonly number[]): Set<number> {
  const chosen = new Set<number>();
  while (chosen.size < 100) chosen.add(free.at(random.below(free.length)) ?? FIRST);
  return chosen;
}

export function drawOrders(random: Random, customerIds: readonly string[]): Order[] {
  const pinned = new Map(pinnedOrders.map((order) => [order.number, order]));
  const numbers = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  const ofBusiest = busiestNumbers(
    random,
    numbers.filter((number) => !pinned.has(number)),
  );
  const others = customerIds.filter((id) => id !== busiest && !fullyPinned.includes(id));
  return numbers.map((number) => {
    const byHand = pinned.get(number);
    if (byHand) return fromPinned(byHand);
    const drawn = others.at(random.below(others.length)) ?? busiest;
    return {
      order_id: `O-${String(number)}`,
      customer_id: ofBusiest.has(number) ? busiest : drawn,
      ...drawDates(random, addDays(placedOn(number), -random.below(3))),
      ...priced(drawLines(random)),
    };
  });
}
