/** Draws what a person could not see: control, invisible and direction characters, as ⟨U+200B⟩. */
import { codeOf, hidden } from '../shared/hidden.ts';

/** Line breaks and tabs stay as they are. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) =>
    character === '\n' || character === '\t' ? character : `⟨${codeOf(character)}⟩`,
  );
}
