import type { Condition } from '../../data/alerts.ts';
import { amountText } from '../../ui/amount.ts';

interface Point {
  at: string;
  group: string | null;
  value: number | null;
  edges: readonly string[];
}

const [WIDTH, HEIGHT, EDGE] = [640, 160, 12];
const MAX_GROUPS = 12;

/** The values over time, the threshold, and where the alert fires (●) and recovers (○). */
export function ValueLine({ points, condition }: { points: readonly Point[]; condition: Condition }) {
  const instants = [...new Set(points.map(({ at }) => at))].sort();
  const { threshold } = condition;
  const isLevel = !/_by$|unusual/.test(condition.operator);
  const limits = isLevel ? [threshold].flat().filter((each) => typeof each === 'number') : [];
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return null;
  const [low, high] = [Math.min(...values, ...limits), Math.max(...values, ...limits)];
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => amountText(value, null));
  const xOf = (at: string) => EDGE + (instants.indexOf(at) / Math.max(1, instants.length - 1)) * (WIDTH - 2 * EDGE);
  const yOf = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  const lines = [...Map.groupBy(points, ({ group }) => group)].slice(0, MAX_GROUPS);
  const shown = points.filter(({ value }) => value !== null);
  return (
    <figure class="value-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Values from ${least} to ${most}`}>
        {limits.map((limit) => (
          <line key={limit} class="limit" x1={0} x2={WIDTH} y1={yOf(limit)} y2={yOf(limit)} />
        ))}
        {lines.map(([group, own]) => (
          <path key={String(group)} d={pathOf(own, xOf, yOf)} />
        ))}
        {shown
          .filter(({ edges }) => edges.includes('fire') || edges.includes('recover'))
          .map(({ at, group, value, edges }) => (
            <circle
              key={`${at} ${group}`}
              class={edges.includes('fire') ? 'fire' : 'recover'}
              cx={xOf(at)}
              cy={yOf(value!)}
              r={5}
            />
          ))}
      </svg>
      <figcaption class="hint">
        Values from {least} to {most}; ● fires, ○ recovers
        {limits.length > 0 && '; the dashed line is the threshold'}
      </figcaption>
    </figure>
  );
}

/** A line with gaps where there is no value. */
function pathOf(points: readonly Point[], xOf: (at: string) => number, yOf: (value: number) => number): string {
  let isPen = false;
  return points
    .map(({ at, value }) => {
      if (value === null) {
        isPen = false;
        return '';
      }
      const command = isPen ? 'L' : 'M';
      isPen = true;
      return `${command}${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`;
    })
    .join('');
}
