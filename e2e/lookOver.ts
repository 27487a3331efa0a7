// A screen in one theme at both sizes: nothing serious for axe, everything laid out as meant, and a picture for a person.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { layoutFaults } from './layoutFaults.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

/** `come` brings the page to what is looked at, at each size again. The page is left as wide as it first is here. */
export async function lookOver(
  page: Page,
  name: string,
  colorScheme: 'light' | 'dark',
  come: () => Promise<void>,
): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  for (const size of sizes.toReversed()) {
    await page.setViewportSize(size);
    await drawnAt(page, size.width);
    await come();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(bad.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    expect(await page.evaluate(layoutFaults), name).toEqual([]);
    await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${size.width}.png`) });
  }
}

/** Until the page has its layout of a width: its media query tells it before the callbacks of the same frame. */
async function drawnAt(page: Page, wanted: number): Promise<void> {
  await page.evaluate(
    (width) =>
      new Promise<void>((done) => {
        const look = (): void => {
          requestAnimationFrame(() => {
            if (innerWidth === width) requestAnimationFrame(() => done());
            else look();
          });
        };
        look();
      }),
    wanted,
  );
}
