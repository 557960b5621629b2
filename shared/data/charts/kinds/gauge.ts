import type { ChartData } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { kpiOf } from '../kpi.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { element } from '../svg.ts';
import { cutText, textWidth } from '../text-width.ts';
import { FONT_FAMILIES, mixed, surfaceOf } from '../theme.ts';
import { fitNumber, mark, type PictureOptions, picture, shownAt, textAt } from './picture.ts';

const LINE = 16;
/** Of the radius. */
const THICKNESS = 0.2;
const MAX_VALUE_SIZE = 48;
/** Narrower pictures have no room for the word. */
const MIN_NAMED = 320;

/** The latest number on a scale from its least to its largest value, with its target. */
export function drawGauge(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const shown = shownAt('text', look.encoding, data);
  if (!shown) return picture(options);
  const { width, height, theme } = options;
  const { text, muted, raised, background } = surfaceOf(theme);
  const kpi = kpiOf(look, data);
  const { value, target } = kpi.numbers;
  const [low, high] = rangeOf(look, value, target);
  const font = { isMono: theme.fonts.heading === 'mono' };
  const goal = target === null ? '' : `${width >= MIN_NAMED ? 'Target ' : ''}${kpi.show(target)}`;
  // The number of the target stands beside the ring.
  const beside = goal === '' ? 6 : Math.min(width * 0.2, textWidth(goal, LABEL_SIZE, font) + 10);
  const radius = Math.max(20, Math.min(width / 2 - beside, height - 2 * LINE - 4));
  const inner = radius * (1 - THICKNESS);
  const center = { x: width / 2, y: LINE + radius + Math.max(0, (height - 2 * LINE - radius - 4) / 2) };
  const angleOf = (number: number) => Math.PI * (1 - Math.max(0, Math.min(1, (number - low) / (high - low))));
  const at = (angle: number, distance: number) => ({
    x: center.x + distance * Math.cos(angle),
    y: center.y - distance * Math.sin(angle),
  });
  const arc = (from: number, to: number) => {
    const [a, b] = [angleOf(from), angleOf(to)];
    const points = [at(a, radius), at(b, radius), at(b, inner), at(a, inner)].map(
      ({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`,
    );
    const [outer, middle] = [radius.toFixed(2), inner.toFixed(2)];
    return `M${points[0]}A${outer},${outer},0,0,1,${points[1]}L${points[2]}A${middle},${middle},0,0,0,${points[3]}Z`;
  };
  const bands = bandsOf(look, [low, high]);
  const main = look.mark.color ?? theme.palette[0]!;
  const color = bands.find(({ to }) => value !== null && value <= to)?.color ?? (bands.at(-1)?.color || main);
  const wanted = inner * 0.45;
  const size = Math.min(
    MAX_VALUE_SIZE,
    wanted,
    (wanted * inner * 1.6) / textWidth(kpi.value, wanted, { ...font, isBold: true }),
  );
  const heading = [kpi.title, kpi.period].filter((part) => part !== '').join(' · ');
  const ends = [low, high].map((end) => fitNumber(shown, end, radius * 0.8, LABEL_SIZE, font));
  const [left, right] = [center.x - (radius + inner) / 2, center.x + (radius + inner) / 2];
  const [atLeft, atRight] = [left, right].map((x, index) => clampText(x, ends[index]!, width));
  const below = center.y + LABEL_SIZE + 3;
  const free = atRight! - atLeft! - ends.reduce((sum, end) => sum + textWidth(end, LABEL_SIZE, font) / 2, 0) - 16;
  const comparison = target === null ? '' : `; Target: ${kpi.show(target)}`;
  return picture(
    options,
    element(
      'g',
      { 'font-family': FONT_FAMILIES[theme.fonts.heading] },
      element('path', { d: arc(low, high), fill: raised }),
      ...bands.map(({ from, to, color: each }) =>
        element('path', { d: arc(from, to), fill: mixed(background, each, 0.28) }),
      ),
      value === null
        ? ''
        : mark('path', 'gauge', `${heading}: ${kpi.value}${comparison}`, undefined, {
            d: arc(low, Math.max(value, low + (high - low) / 500)),
            fill: color,
          }),
      ...(target === null ? [] : targetOf(target)),
      textAt(center.x, center.y - 2, kpi.value, { fill: text, size, anchor: 'middle', isBold: true }),
      ...ends.map((end, index) => textAt([atLeft, atRight][index]!, below, end, { fill: muted, anchor: 'middle' })),
      free > 40
        ? textAt(center.x, below, cutText(heading, free, LABEL_SIZE, font), { fill: muted, anchor: 'middle' })
        : '',
    ),
  );

  /** A line across the ring, and its number outside of it. */
  function targetOf(number: number): string[] {
    const angle = angleOf(number);
    const [from, to] = [at(angle, inner - 3), at(angle, radius + 3)];
    const label = at(angle, radius + 9);
    const anchor = Math.abs(Math.cos(angle)) < 0.15 ? 'middle' : label.x < center.x ? 'end' : 'start';
    const length = textWidth(goal, LABEL_SIZE, font);
    const start = label.x - (anchor === 'end' ? length : anchor === 'middle' ? length / 2 : 0);
    const isInside = start >= 0 && start + length <= width;
    return [
      element('line', {
        ...{ x1: from.x, y1: from.y, x2: to.x, y2: to.y },
        ...{ stroke: text, 'stroke-width': 2 },
      }),
      isInside ? textAt(label.x, Math.min(label.y + 3, center.y - 2), goal, { fill: text, anchor }) : '',
    ];
  }
}

/** The middle of a text that stays within the picture. */
function clampText(x: number, text: string, width: number): number {
  const half = textWidth(text, LABEL_SIZE) / 2;
  return Math.max(half, Math.min(width - half, x));
}

/** From 0 to a round number that is not below the value, its target and the bands, or from a round one below 0. */
function rangeOf({ mark: { range, bands = [] } }: ChartLook, value: number | null, target: number | null) {
  if (range) return range as [number, number];
  const ends = [value ?? 0, target ?? 0, ...bands.map(({ to }) => to), 0];
  const [low, high] = [roundUp(-Math.min(...ends)), roundUp(Math.max(...ends))];
  return low === 0 && high === 0 ? ([0, 1] as const) : ([low === 0 ? 0 : -low, high] as const);
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(((STEPS.find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power).toPrecision(12));
}

/** The bands within the range. */
function bandsOf({ mark: { bands = [] } }: ChartLook, [low, high]: readonly [number, number]) {
  return bands
    .map(({ to, color }, index) => ({
      ...{ from: Math.max(low, bands[index - 1]?.to ?? low), to: Math.min(high, to) },
      color,
    }))
    .filter(({ from, to }) => to > from);
}
