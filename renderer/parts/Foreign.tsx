// Text from outside: a customer's, a server's, the model's. Never markup; its own direction; what cannot be seen is drawn.
import { codeOf, hidden } from '../../shared/hidden.ts';
import styles from './Foreign.module.css';

type Tag = 'span' | 'p' | 'div' | 'code' | 'h2' | 'dd' | 'pre' | 'b';
interface Props {
  text: string;
  as?: Tag;
  className?: string | undefined;
  id?: string;
  title?: string;
}

export function Foreign({ text, as: Element = 'span', className, ...rest }: Props) {
  return (
    <Element dir="auto" className={className} {...rest}>
      {drawn(text)}
    </Element>
  );
}

const before = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}\d#*]$/u;
const after = /^\p{Extended_Pictographic}/u;

/** A selector or joiner inside an emoji hides nothing. */
function ofEmoji(text: string, at: number): boolean {
  const sign = text[at];
  if (sign !== '\u200d' && sign !== '\ufe0f' && sign !== '\ufe0e') return false;
  const emoji = before.test(text.slice(Math.max(0, at - 2), at));
  return emoji && (sign !== '\u200d' || after.test(text.slice(at + 1, at + 3)));
}

/** For where nothing can be drawn, a tooltip or a label: hidden characters by their codes, and no more than fits there. */
export function spelled(text: string, most = 400): string {
  const words = text.replaceAll(hidden, (sign, at: number) =>
    /[\s]/.test(sign) ? ' ' : ofEmoji(text, at) ? sign : codeOf(sign),
  );
  return words.length <= most ? words : `${words.slice(0, most)}…`;
}

/** The text with each hidden character as a mark; line breaks and tabs stay. */
export function drawn(text: string): React.ReactNode {
  const pieces: React.ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(hidden)) {
    if (found[0] === '\n' || found[0] === '\t' || ofEmoji(text, found.index)) continue;
    if (found.index > from) pieces.push(text.slice(from, found.index));
    // A plain no-break space is what many mail programs write between words: not worth a mark.
    pieces.push(
      found[0] === '\u00a0' ? (
        ' '
      ) : (
        <span key={found.index} className={styles.mark} dir="ltr">
          {codeOf(found[0])}
        </span>
      ),
    );
    from = found.index + found[0].length;
  }
  if (from === 0) return text;
  pieces.push(text.slice(from));
  return pieces;
}
