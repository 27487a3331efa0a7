// Bars over the tickets or calls of a run, and the grid of what was meant against what was chosen. Plain SVG; the same figures
// stand in words beside them.
import { Foreign } from '../parts/Foreign.tsx';
import { Hidden } from '../parts/Hidden.tsx';
import styles from './Charts.module.css';
import { median, type Confusion } from './runWords.ts';

interface BarsProps {
  unit: string;
  /** Decimals its figures are said with. */
  digits: number;
  /** The height of the drawing stands for this at least: next to nothing must not look like much. */
  least: number;
  /** Said where there is nothing to draw. */
  nothing: string;
  bars: { name: string; value: number }[];
}
const width = 420;
const height = 130;
const head = 16;
/** More bars than this are drawn by the largest of each stretch: a bar is never thinner than a hair. */
const most = 200;

export function Bars({ unit, digits, least, nothing, bars }: BarsProps) {
  const middle = median(bars.map(({ value }) => value));
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  if (middle === null || Number(highest.toFixed(digits)) === 0) return <p className={styles.none}>{nothing}</p>;
  const drawn = stretched(bars);
  const top = Math.max(highest, least);
  const step = width / drawn.length;
  const y = (value: number) => height - (value / top) * (height - head);
  const words = `median ${middle.toFixed(digits)} ${unit}`;
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${width} ${height + 2}`} role="img" aria-label={`${words}, n = ${bars.length}`}>
        {drawn.map(({ name, value }, at) => (
          <rect
            key={at}
            className={value > 2 * middle ? styles.far : undefined}
            x={at * step}
            y={y(value)}
            width={Math.min(12, Math.max(0.6, step * 0.72))}
            height={Math.max(1, height - y(value))}
            rx={Math.min(1.5, step / 4)}
          >
            <title>{`${name}: ${value.toFixed(digits)} ${unit}`}</title>
          </rect>
        ))}
        <line x1="0" x2={width} y1={height} y2={height} />
        <line className={styles.median} x1="0" x2={width} y1={y(middle)} y2={y(middle)} />
        <text x={width} y={y(middle) - 4}>
          {words}
        </text>
      </svg>
      <figcaption>
        most {highest.toFixed(digits)} {unit}, n = {bars.length}
      </figcaption>
    </figure>
  );
}

function stretched(bars: BarsProps['bars']): BarsProps['bars'] {
  if (bars.length <= most) return bars;
  const size = Math.ceil(bars.length / most);
  return Array.from({ length: Math.ceil(bars.length / size) }, (_, at) =>
    bars.slice(at * size, (at + 1) * size).reduce((max, one) => (one.value > max.value ? one : max)),
  );
}

export function ConfusionGrid({ names, counts }: Confusion) {
  if (names.length === 0) return <p className={styles.none}>None of these tickets has a label to hold it against.</p>;
  const top = Math.max(...Object.values(counts).flatMap((row) => Object.values(row)));
  return (
    <div
      className={styles.gridBox}
      tabIndex={0}
      role="region"
      aria-label="First tool: the right one against the one it chose"
    >
      <table className={styles.grid} style={{ width: 96 + 66 * names.length }}>
        <colgroup>
          <col className={styles.names} />
          {names.map((name) => (
            <col key={name} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <Hidden>Right tool</Hidden>
            </th>
            {names.map((name) => (
              <th key={name} scope="col">
                <Foreign text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((row) => (
            <tr key={row}>
              <th scope="row">
                <Foreign text={row} />
              </th>
              {names.map((column) => {
                const count = counts[row]?.[column] ?? 0;
                if (count === 0) return <td key={column} className={row === column ? styles.right : undefined} />;
                const share = 18 + Math.round((count / top) * 30);
                const color = row === column ? 'var(--ok)' : 'var(--look)';
                return (
                  <td
                    key={column}
                    style={{ background: `color-mix(in srgb, ${color} ${share}%, var(--pane))` }}
                    title={`${row} would be right, ${column} was chosen`}
                  >
                    {count}
                    {row !== column && <span className={styles.wrong}> ◆</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
