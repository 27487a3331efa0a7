// How long a person waits at the list of the queue, clocked in the page itself: from a key to the frame in which the list
// shows what it should.
import type { Page } from 'playwright-core';
import type { Host } from '../main/host.ts';
import type { TicketFilter, TicketView } from '../shared/queue.ts';

export const never = new AbortController().signal;
/** Rows of the list that are looked at. */
export const looked = 5;

/** The first tickets of a view as the host holds it, by ID. */
export async function beginning(
  { host, me }: { host: Host; me: string },
  view: TicketView,
  filter: TicketFilter = {},
): Promise<string[]> {
  const asked = { view, filter, after: null, limit: looked };
  return (await host.queue.page(asked, await host.person(me), never)).rows.map(({ id }) => id);
}

/** Milliseconds from a key until the list begins with these tickets, or says that none fits. */
export async function until(page: Page, key: string, wanted: string[]): Promise<number> {
  await page.evaluate(() => {
    Reflect.deleteProperty(window, 'pressedAt');
    const press = (event: KeyboardEvent): unknown => Reflect.set(window, 'pressedAt', event.timeStamp);
    addEventListener('keydown', press, { capture: true, once: true });
  });
  // It looks once a frame from before the key is pressed.
  const shown = page.waitForFunction((ids) => {
    const pressed: unknown = Reflect.get(window, 'pressedAt');
    if (typeof pressed !== 'number') return null;
    const rows = [...document.querySelectorAll('[role=listbox][aria-label="Tickets"] [data-key]')]
      .map((row) => ({ id: row.getAttribute('data-key'), top: row.getBoundingClientRect().top }))
      .sort((a, b) => a.top - b.top);
    const there =
      ids.length === 0
        ? rows.length === 0 && /Nothing waits here|No ticket fits/.test(document.body.textContent)
        : ids.every((id, at) => rows[at]?.id === id);
    return there ? performance.now() - pressed : null;
  }, wanted);
  await page.keyboard.press(key);
  return (await (await shown).jsonValue()) ?? Number.NaN;
}

/** Milliseconds from a key to the frame in which the page shows what it means: J down the list, K up. */
export async function moving(
  page: Page,
  times: number,
  key: 'j' | 'k' = 'j',
): Promise<{ key: number[]; opened: number[] }> {
  return page.evaluate(
    async ({ times, key }) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const id = () => document.querySelector('header code')?.textContent ?? '';
      const shown = () => document.querySelector('[data-ticket]')?.getAttribute('data-ticket') ?? '';
      const result = { key: [] as number[], opened: [] as number[] };
      for (let n = 0; n < times; n++) {
        const before = id();
        // Tickets that come in may have left the open one at the top, where K leads nowhere.
        const first =
          document.querySelector('[role=option][aria-selected=true]')?.getAttribute('aria-posinset') === '1';
        const press = { key: first ? 'j' : key, bubbles: true, cancelable: true };
        const started = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', press));
        while (id() === before) await frame();
        result.key.push(performance.now() - started);
        while (shown() !== id()) await frame();
        result.opened.push(performance.now() - started);
        await frame();
      }
      return result;
    },
    { times, key },
  );
}
