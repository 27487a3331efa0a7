// The border between two panes: dragged, or moved by arrow keys in steps of 16 px.
import { cx } from '../classes.ts';
import styles from './Divider.module.css';

interface Props {
  words: string;
  width: number;
  from: number;
  to: number;
  onWidth: (width: number) => void;
  /** The pane it sizes is on its right. */
  left?: boolean;
}

export function Divider({ words, width, from, to, onWidth, left = false }: Props) {
  const clamp = (wanted: number) => Math.round(Math.min(to, Math.max(from, wanted)));
  const sign = left ? -1 : 1;
  function key(event: React.KeyboardEvent): void {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onWidth(clamp(width + sign * step));
  }
  function drag(event: React.PointerEvent<HTMLElement>): void {
    const line = event.currentTarget;
    const start = event.clientX;
    line.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => onWidth(clamp(width + sign * (clientX - start)));
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), { once: true });
  }
  return (
    <div
      className={cx(styles.divider)}
      role="separator"
      aria-orientation="vertical"
      aria-label={words}
      aria-valuenow={width}
      aria-valuemin={from}
      aria-valuemax={to}
      tabIndex={0}
      onKeyDown={key}
      onPointerDown={drag}
    />
  );
}
