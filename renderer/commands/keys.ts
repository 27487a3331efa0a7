// Keys as words: what was pressed, how a combination is written for a person, for a screen reader.
const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** A press as the table writes it: `Mod+Enter`, `Shift+D`, `?`; null for a bare modifier. */
export function combinationOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, onMac = mac): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Process'].includes(key)) return null;
  const mod = onMac ? metaKey : ctrlKey;
  const other = onMac ? ctrlKey : metaKey;
  if (other) return null;
  const letter = /^\p{L}$/u.test(key);
  // What Shift makes of a digit or a sign is another character already.
  const shift = shiftKey && (letter || key.length > 1);
  return `${mod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${letter ? key.toUpperCase() : key === ' ' ? 'Space' : key}`;
}

const signs: Record<string, string> = mac
  ? { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↵', Escape: 'Esc' }
  : { Mod: 'Ctrl', Enter: '↵', Escape: 'Esc' };

/** As it stands on a button. */
export function keyWords(combination: string): string {
  return combination
    .split(' ')
    .map((one) =>
      one
        .split('+')
        .map((part) => signs[part] ?? part)
        .join(mac ? '' : ' '),
    )
    .join(' then ');
}
/** As `aria-keyshortcuts` takes it. */
export function ariaKeys(combination: string): string {
  return combination.replace('Mod', mac ? 'Meta' : 'Control');
}
