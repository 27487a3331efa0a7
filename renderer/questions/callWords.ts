// A call in the words of a person who decides about it.
import type { Call, Origin } from '../../shared/calls.ts';
import type { CallAbout } from '../../shared/questions.ts';

/** Its own title, else "Issue refund" of `shop.issue_refund`. */
export function toolWords(
  { prefix, tool }: Pick<Call, 'prefix' | 'tool'>,
  { title }: Pick<CallAbout, 'title'>,
): string {
  return title ?? titleOf(tool.slice(prefix.length + 1));
}
export function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where a value came from; `look` where it deserves a look before anyone decides by it. */
export function originWords(origin: Origin | undefined): { words: string; look: boolean } {
  if (origin === undefined) return { words: 'no known source', look: true };
  switch (origin.from) {
    case 'ticket.field':
      return { words: `the ticket’s ${origin.field ?? 'fields'}`, look: false };
    case 'ticket.text':
      return { words: 'the ticket', look: false };
    case 'result':
      return { words: `call ${origin.call ?? '?'}`, look: false };
    case 'person':
      return { words: 'a person', look: false };
    case 'default':
      return { words: 'the default', look: false };
    case 'example':
      return { words: 'the definition’s example', look: true };
    case 'model':
      return { words: 'the model’s choice', look: true };
    case 'view':
      return { words: 'its server’s view', look: true };
  }
}
