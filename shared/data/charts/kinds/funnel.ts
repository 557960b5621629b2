import type { ChartData } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { textOn } from '../contrast.ts';
import { drawnColumns } from '../drawn-columns.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { labelledBy, rowLabel } from '../row-label.ts';
import { showOrder } from '../shown-order.ts';
import { element } from '../svg.ts';
import { textWidth } from '../text-width.ts';
import { mixed, surfaceOf } from '../theme.ts';
import {
  fitNumber,
  fitText,
  mark,
  nameIn,
  numberIn,
  type PictureOptions,
  percentText,
  picture,
  type Shown,
  shownAt,
  textAt,
} from './picture.ts';

/** Lower steps could not be named. */
const MIN_STEP = 15;
/** A conversion needs so much between two bars. */
const MIN_GAP = LABEL_SIZE + 3;
const MAX_STEP = 80;
const GAP = 10;

interface Step {
  row: number;
  name: string;
  value: number;
  /** Of the first step, and of the one before. */
  ofFirst: number;
  ofPrevious: number;
}

/** The steps that people, orders or parts go through, how many reach each, and which share of those before that is. */
export function drawFunnel(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const [names, values] = [shownAt('y', look.encoding, data), shownAt('x', look.encoding, data)];
  if (!names || !values) return picture(options);
  const { width, height, theme } = options;
  const { text, muted, background } = surfaceOf(theme);
  const color = look.mark.color ?? theme.palette[0]!;
  const font = { isMono: theme.fonts.body === 'mono' };
  const all = stepsOf(look, data, names, values);
  const room = Math.max(1, Math.floor(height / MIN_STEP));
  const steps = all.length > room ? all.slice(0, room - 1) : all;
  const left = all.length - steps.length;
  const pitch = Math.min(MAX_STEP, (height - (left > 0 ? MIN_STEP : 0)) / Math.max(1, steps.length));
  // A few steps stand in the middle of a high picture.
  const above = left > 0 ? 0 : (height - pitch * steps.length) / 2;
  const thickness = pitch >= 2.2 * MIN_GAP ? pitch - MIN_GAP - 4 : pitch * 0.8;
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((each) => textWidth(each, LABEL_SIZE, font)));
  const before = Math.min(widest(steps.map(({ name }) => name)), width * 0.34);
  const after = widest(steps.map(({ ofFirst }) => percentText(ofFirst)));
  const plot = { x: before + GAP, width: Math.max(10, width - before - after - 2 * GAP) };
  const most = Math.max(...steps.map(({ value }) => value), Number.MIN_VALUE);
  const lengthOf = ({ value }: Step) => Math.max(value > 0 ? 2 : 1, (value / most) * plot.width);
  const middle = plot.x + plot.width / 2;
  const labelled = labelledBy('funnel', look.encoding ?? {});
  const drawn = steps.flatMap((step, index) => {
    const top = above + index * pitch + (pitch - thickness) / 2;
    const [length, next] = [lengthOf(step), steps[index + 1]];
    const baseline = top + thickness / 2 + LABEL_SIZE * 0.36;
    const value = fitNumber(values, data.rows[step.row]![values.at], length - 8, LABEL_SIZE, { ...font, isBold: true });
    const isEmpty = numberIn(values, data.rows[step.row]!) === null;
    const beside = isEmpty
      ? '–'
      : value === ''
        ? fitNumber(values, data.rows[step.row]![values.at], (plot.width - length) / 2 - 8, LABEL_SIZE, font)
        : '';
    const label = [
      rowLabel(labelled, data.columns, data.rows[step.row]!),
      `Of the first: ${percentText(step.ofFirst)}`,
      ...(index > 0 ? [`Of the one before: ${percentText(step.ofPrevious)}`] : []),
    ].join('; ');
    const end = next && [lengthOf(next) / 2, above + (index + 1) * pitch + (pitch - thickness) / 2];
    const corner = theme.radius > 0 ? 3 : undefined;
    return [
      end
        ? element('path', {
            d: `M${place(middle - length / 2)},${place(top + thickness)}H${place(middle + length / 2)}L${place(middle + end[0]!)},${place(end[1]!)}H${place(middle - end[0]!)}Z`,
            fill: mixed(background, color, 0.18),
          })
        : '',
      mark('rect', 'step', label, step.row, {
        ...{ x: middle - length / 2, y: top, width: length, height: thickness, rx: corner, fill: color },
        opacity: look.mark.opacity,
      }),
      textAt(before, baseline, fitText(step.name, before, LABEL_SIZE, font), { fill: text, anchor: 'end' }),
      value === '' ? '' : textAt(middle, baseline, value, { fill: textOn(color), anchor: 'middle', isBold: true }),
      beside === '' ? '' : textAt(middle + length / 2 + 4, baseline, beside, { fill: text }),
      textAt(width, baseline, percentText(step.ofFirst), { fill: muted, anchor: 'end' }),
      next && pitch - thickness >= MIN_GAP
        ? textAt(middle, above + (index + 1) * pitch + LABEL_SIZE * 0.36, percentText(next.ofPrevious), {
            fill: muted,
            anchor: 'middle',
          })
        : '',
    ];
  });
  const more = left > 0 ? `${left} more steps` : '';
  return picture(options, ...drawn, more && textAt(0, height - 4, more, { fill: muted }));
}

const place = (value: number): string => value.toFixed(1);

/** The rows in the order in which the chart sorts their names. */
function stepsOf({ encoding }: ChartLook, data: ChartData, names: Shown, values: Shown): Step[] {
  const rows = data.rows.map((cells, row) => ({
    row,
    name: nameIn(names, cells),
    value: numberIn(values, cells) ?? 0,
  }));
  const drawn = drawnColumns(data)[names.at]!;
  const order = showOrder([...new Set(rows.map(({ name }) => name))], encoding!.y!, drawn, {
    ...{ data, encoding: encoding! },
    nameOf: (row) => nameIn(names, row),
  });
  const places = new Map(order.map((name, index) => [name, index]));
  const sorted = rows.toSorted((one, other) => places.get(one.name)! - places.get(other.name)!);
  return sorted.map((step, index) => ({
    ...step,
    ofFirst: step.value / sorted[0]!.value,
    ofPrevious: step.value / (sorted[index - 1]?.value ?? Number.NaN),
  }));
}
