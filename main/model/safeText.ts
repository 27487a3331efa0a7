/**
 * Text from outside, made unable to speak the model's control language. Tokenising without special tokens is not enough:
 * strings a vocabulary marks "user defined" (Qwen's `<tool_call>`) are matched anyway, so every look-alike is broken up.
 */
const zeroWidth = '\u200b';

/** The strings of a vocabulary that must never arise from foreign text. White space alone is text, whatever its type. */
export function isControlString(text: string): boolean {
  return text.trim().length > 1;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** `controlStrings`: as scanned from the model's own vocabulary. */
export function createSafeText(controlStrings: readonly string[]): (text: string) => string {
  const wanted = [...new Set(controlStrings)].filter(isControlString).sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return (text) => text;
  const pattern = new RegExp(wanted.map(literal).join('|'), 'gu');
  function broken(found: string): string {
    const [first = '', ...rest] = Array.from(found);
    return first + zeroWidth + rest.join('');
  }
  return (text) => {
    let safe = text.toWellFormed();
    // What is left after one break can hold a shorter control string; each round breaks at least one, so this ends.
    for (;;) {
      const next = safe.replace(pattern, broken);
      if (next === safe) return safe;
      safe = next;
    }
  };
}
