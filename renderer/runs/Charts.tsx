// Bars over the tickets or calls of a run, and the grid of what was meant against what was chosen. Plain SVG; the same figures
// stand in words beside them.
import { Foreign } from '../parts/Foreign.tsx';
import { Hidden } from '../parts/Hidden.tsx';
import styles from './Charts.module.css';
import { median, type Confusion } from './runWords.ts';

interface BarsProps {
  unit: string;
  bars: { name: string; value: number }[];
}
const width = 420;
const height = 150;
/** More bars than this are drawn by the largest of each stretch: a bar is never thinner than a hair. */
const most = 200;

export function Bars({ unit, bars }: BarsProps) {
  const middle = median(bars.map(({ value }) => value));
  if (middle === null) return <p className={styles.none}>Nothing to draw yet.</p>;
  const drawn = stretched(bars);
  const top = Math.max(...drawn.map(({ value }) => value), 1e-9);
  const step = width / drawn.length;
  const y = (value: number) => height - (value / top) * (height - 14);
  const round = (value: number) => Math.round(value * 10) / 10;
  return (
    <figure className={styles.figure}>
      <figcaption>
        median {round(middle)} {unit}, most {round(top)} {unit}, n = {bars.length}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 2}`} aria-hidden="true">
        {drawn.map(({ name, value }, at) => (
          <rect
            key={at}
            x={at * step}
            y={y(value)}
            width={Math.min(12, Math.max(0.6, step * 0.72))}
            height={Math.max(1, height - y(value))}
            rx={Math.min(1.5, step / 4)}
          >
            <title>{`${name}: ${round(value)} ${unit}`}</title>
          </rect>
        ))}
        <line x1="0" x2={width} y1={height} y2={height} />
        <line className={styles.median} x1="0" x2={width} y1={y(middle)} y2={y(middle)} />
      </svg>
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
  const rows = names.filter((name) => counts[name] !== undefined);
  return (
    <div className={styles.gridBox} tabIndex={0} role="region" aria-label="Meant against chosen">
      <table className={styles.grid}>
        <thead>
          <tr>
            <th scope="col">
              <Hidden>Meant</Hidden>
            </th>
            {names.map((name) => (
              <th key={name} scope="col">
                <Foreign text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">
                <Foreign text={row} />
              </th>
              {names.map((column) => {
                const count = counts[row]?.[column] ?? 0;
                if (count === 0) return <td key={column} />;
                const share = 18 + Math.round((count / top) * 30);
                const color = row === column ? 'var(--ok)' : 'var(--look)';
                return (
                  <td
                    key={column}
                    style={{ background: `color-mix(in srgb, ${color} ${share}%, var(--pane))` }}
                    title={`${row} meant, ${column} chosen`}
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
