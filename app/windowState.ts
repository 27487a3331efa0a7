// Where the window was when it was last closed; a place that no screen shows any more is not used.
import { readFileSync, writeFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';

const usual = { width: 1440, height: 900 };
const least = { width: 800, height: 600 };

interface WindowState {
  bounds: Partial<Rectangle> & { width: number; height: number };
  maximized: boolean;
}

export function readWindowState(file: string): WindowState {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept !== 'object' || kept === null) throw new Error('no object');
    const { x, y, width, height, maximized } = kept as Record<string, unknown>; // each is checked below
    if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) throw new Error('no place');
    const bounds = { x, y, width: Math.max(width, least.width), height: Math.max(height, least.height) };
    return { bounds: shown(bounds) ? bounds : usual, maximized: maximized === true };
  } catch {
    return { bounds: usual, maximized: false };
  }
}

export function keepWindowState(file: string, window: BrowserWindow): void {
  window.on('close', () => {
    try {
      writeFileSync(file, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }));
    } catch (error) {
      console.error(`Where the window was is not kept: ${String(error)}`);
    }
  });
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
function shown(bounds: Rectangle): boolean {
  const { workArea } = screen.getDisplayMatching(bounds);
  const across = Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x);
  const down = Math.min(bounds.y + bounds.height, workArea.y + workArea.height) - Math.max(bounds.y, workArea.y);
  return across > 100 && down > 100;
}
