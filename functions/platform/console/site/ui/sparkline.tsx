interface SparklineProps {
  /** In their order; null leaves a gap. */
  values: readonly (number | null)[];
  /** What the line says, for screen readers and as a tip. */
  label: string;
}

const [WIDTH, HEIGHT, EDGE] = [112, 28, 3];

/** A small line of values without axes; its last value has a dot. */
export function Sparkline({ values, label }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - EDGE - share(value) * (HEIGHT - 2 * EDGE));
  const share = (value: number) => (value - low) / (high - low);
  const points = values.map((value, index) => value !== null && ([x(index), y(value)] as const));
  const last = points.findLast((point) => point !== false)!;
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {linesOf(points).map((line) =>
        line.length === 1 ? (
          <circle key={line[0]!.join()} cx={line[0]![0]} cy={line[0]![1]} r={1.5} />
        ) : (
          <polyline key={line[0]!.join()} points={line.map((point) => point.map(round).join(',')).join(' ')} />
        ),
      )}
      <circle cx={last[0]} cy={last[1]} r={2.5} />
    </svg>
  );
}

type Spot = readonly [number, number];

const round = (value: number): number => Math.round(value * 10) / 10;

/** The lines between the gaps. */
function linesOf(points: readonly (Spot | false)[]): Spot[][] {
  const lines: Spot[][] = [[]];
  for (const point of points) {
    if (point) lines.at(-1)!.push(point);
    else if (lines.at(-1)!.length > 0) lines.push([]);
  }
  return lines.filter((line) => line.length > 0);
}
