/** Draws what a person could not see: control, invisible and direction characters, as ⟨U+200B⟩. */

const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/** Line breaks and tabs stay as they are. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
