import type { ChartData } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { drawMessage } from './draw-message.ts';
import { DRAWERS, MARKS_DRAWER } from './kinds/drawers.ts';
import { findNothing } from './nothing-to-draw.ts';
import { DEFAULT_TOKENS, type ThemeTokens } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

export { drawMessage } from './draw-message.ts';

export interface DrawOptions extends Size {
  theme?: ThemeTokens;
  /** What the chart shows, for those who do not see it. */
  description?: string;
  /** The series that are not drawn, by their places in the legend. */
  hiddenSeries?: readonly number[];
}

/** The chart as SVG. Columns that its channels name must exist (`lookIssues`). */
export async function drawChart(look: ChartLook, data: ChartData, given: DrawOptions): Promise<string> {
  const options = { ...given, theme: given.theme ?? DEFAULT_TOKENS };
  const { draw, findNothing: findOwn, isAlwaysDrawn } = (!look.layer && DRAWERS[look.mark.type]) || MARKS_DRAWER;
  const nothing = isAlwaysDrawn ? undefined : (findNothing(look, data) ?? findOwn?.(look, data));
  return nothing ? drawMessage(nothing, options) : draw(look, data, options);
}
