import type { ChartLook } from './chart-look.ts';
import type { LineAxis } from './line-axis.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { showValue } from './show-value.ts';
import { cutText, textWidth } from './text-width.ts';

type Json = Record<string, unknown>;
type Line = NonNullable<NonNullable<ChartLook['config']>['lines']>[number];

export interface ReferenceLines {
  axis: LineAxis;
  /** What the labels take beside the plot, in pixels. */
  beside: { right: number; top: number };
  /** The lines, and their labels, on the axis that the definition describes, in a plot that is about so wide. */
  views(definition: Json, width: number): Json[];
}

/** Labels beside the plot take at most this share of the picture. */
const SHARE = 0.25;
const GAP = 4;

/**
 * The lines of the chart, whose labels stand beside the plot, as far as Vega makes the plot smaller; in a grid, or with
 * a second axis, they are inside of it.
 */
export function referenceLines(
  look: ChartLook,
  axis: LineAxis | undefined,
  { width, isInside, color }: { width: number; isInside: boolean; color: string },
): ReferenceLines | undefined {
  const lines = look.config?.lines ?? [];
  if (!axis || lines.length === 0) return undefined;
  const { format, scale } = (look.layer?.[axis.layer]?.encoding ?? look.encoding)?.[axis.channel] ?? {};
  const drawn = lines.filter(({ value }) => scale?.type !== 'log' || value > 0);
  const nameOf = ({ value, label }: Line) => [label ?? '', showValue(axis.column, value, format)];
  const widthOf = (text: string) => textWidth(text, LABEL_SIZE);
  const isUp = axis.channel === 'y';
  const most = width * SHARE;
  // Numbers are whole, or left out where they would take more than the names may.
  const texts = drawn.map((line) => {
    const [label, value] = nameOf(line);
    const shown = [cutText(label!, most, LABEL_SIZE), ...(widthOf(value!) <= 1.2 * most ? [value!] : [])];
    return shown.filter((text) => text !== '');
  });
  const widest = Math.max(0, ...texts.flat().map(widthOf));
  const hasBeside = isUp && !isInside;
  return {
    axis,
    beside: { right: hasBeside && widest > 0 ? widest + GAP : 0, top: isUp || isInside ? 0 : LABEL_SIZE + GAP },
    views: ({ stack: _stack, sort: _sort, ...definition }, plotWidth) =>
      drawn.map((line, index) => {
        const text = texts[index]!.join(hasBeside ? '\n' : ' ');
        const isShown = hasBeside || widthOf(text) < plotWidth - 2 * GAP;
        const data = { values: [{ value: line.value, text: isShown ? text : '' }] };
        const encoding = { [axis.channel]: { ...definition, field: 'value' } };
        const description = nameOf(line).filter((text) => text !== '');
        const stroke = line.color ?? color;
        return {
          data,
          encoding,
          layer: [
            {
              mark: {
                type: 'rule',
                color: stroke,
                strokeWidth: 1.5,
                strokeDash: [5, 4],
                description: description.join(': '),
              },
            },
            {
              mark: { type: 'text', aria: false, lineBreak: '\n', ...placeOfLabel(axis.channel, isInside) },
              encoding: {
                [isUp ? 'x' : 'y']: { value: isUp ? 'width' : 0 },
                text: { field: 'text', type: 'nominal' },
              },
            },
          ],
        };
      }),
  };
}

/** To the right of a level line, and above an upright one. */
function placeOfLabel(channel: 'x' | 'y', isInside: boolean): Json {
  if (channel === 'y')
    return isInside ? { align: 'right', baseline: 'bottom', dy: -2 } : { align: 'left', baseline: 'middle', dx: GAP };
  return isInside
    ? { align: 'left', baseline: 'top', dx: GAP }
    : {
        align: { expr: `scale("x", datum["value"]) < width / 2 ? "left" : "right"` },
        baseline: 'bottom',
        dy: -GAP,
      };
}
