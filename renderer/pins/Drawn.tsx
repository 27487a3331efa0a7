// Text of a definition as the host draws it: invisible characters come as ⟨U+200B⟩ and are shown as marks that nobody overlooks.
import { Foreign } from '../parts/Foreign.tsx';
import styles from './Difference.module.css';

export function Drawn({ text }: { text: string }) {
  const pieces = text.split(/(⟨U\+[0-9A-F]{4,6}⟩)/);
  return (
    <span dir="auto">
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <span key={at} className={styles.hidden} dir="ltr" title="An invisible character">
            {piece.slice(1, -1)}
          </span>
        ) : (
          <Foreign key={at} text={piece} />
        ),
      )}
    </span>
  );
}
