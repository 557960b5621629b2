import { useEffect, useRef, useState } from 'preact/hooks';

export interface SeriesPoint {
  /** What the period is called. */
  label: string;
  value: number | null;
  /** The value as people read it. */
  text: string;
  /** Whether more is to come. */
  isOpen?: boolean;
}

interface SeriesChartProps {
  label: string;
  points: readonly SeriesPoint[];
  /** A number of the axis. */
  tickText: (value: number) => string;
}

const HEIGHT = 220;
const EDGE = { top: 12, right: 8, bottom: 26, left: 64 };
const TICKS = 4;
/** Labels of periods that stand beside each other. */
const LABEL_PX = 96;

/** A column for each period. Where a column is looked at, its tip says its value; a table beside it says all of them. */
export function SeriesChart({ label, points, tickText }: SeriesChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.floor(entry!.contentRect.width))));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const { low, high, ticks } = scaleOf(points.flatMap(({ value }) => (value === null ? [] : [value])));
  const inner = { width: width - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const y = (value: number) => EDGE.top + (1 - (value - low) / (high - low)) * inner.height;
  const slot = inner.width / Math.max(1, points.length);
  const step = Math.ceil(LABEL_PX / slot);
  return (
    <div class="series-chart" ref={box}>
      <svg class="series-plot" width={width} height={HEIGHT} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text x={EDGE.left - 8} y={y(tick) + 4} text-anchor="end">
              {tickText(tick)}
            </text>
          </g>
        ))}
        {points.map(({ value, text, label: name, isOpen }, index) => {
          const left = EDGE.left + index * slot;
          return (
            <g key={name}>
              {value !== null && (
                <rect
                  class={isOpen ? 'open' : undefined}
                  x={left + slot * 0.15}
                  width={Math.max(1, slot * 0.7)}
                  y={Math.min(y(value), y(0))}
                  height={Math.max(1, Math.abs(y(value) - y(0)))}
                >
                  <title>{`${name}: ${text}${isOpen ? ' so far' : ''}`}</title>
                </rect>
              )}
              {(points.length - 1 - index) % step === 0 && left + slot / 2 - EDGE.left > LABEL_PX / 3 && (
                <text
                  x={Math.min(left + slot / 2, width - EDGE.right - LABEL_PX / 3)}
                  y={HEIGHT - 8}
                  text-anchor="middle"
                >
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Round numbers around the values, which columns start at zero of. */
function scaleOf(values: readonly number[]): { low: number; high: number; ticks: number[] } {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (least === most) return { low: 0, high: 1, ticks: [0] };
  const raw = (most - least) / TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= raw)!;
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
}
