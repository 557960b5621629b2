import { boxRows } from '../box-rows.ts';
import type { ChartData } from '../chart-columns.ts';
import type { ChartLook, MarkType } from '../chart-look.ts';
import { drawKpi } from '../draw-kpi.ts';
import { drawSpec } from '../draw-spec.ts';
import { drawTable } from '../draw-table.ts';
import { mapRows } from '../maps/map-rows.ts';
import { mapSpec } from '../maps/map-spec.ts';
import { findNoShares } from '../nothing-to-draw.ts';
import { withPeriodGaps } from '../period-gaps.ts';
import { pivoted } from '../pivot.ts';
import { withForecastPeriods } from '../trend.ts';
import { vegaLiteSpec } from '../vega-lite-spec.ts';
import { drawCalendar, findNoDays } from './calendar.ts';
import { drawFunnel } from './funnel.ts';
import { drawGauge } from './gauge.ts';
import type { PictureOptions } from './picture.ts';
import { drawPointMap } from './point-map.ts';
import { drawSankey, findBackFlows } from './sankey.ts';
import { drawTreemap } from './treemap.ts';
import { findRepeated, waterfallSpec } from './waterfall.ts';

export interface Drawer {
  draw(look: ChartLook, data: ChartData, options: PictureOptions): string | Promise<string>;
  /** The sentence to show instead, for rows that the kind cannot draw. */
  findNothing?(look: ChartLook, data: ChartData): string | undefined;
  /** Whether rows without values are drawn too. */
  isAlwaysDrawn?: boolean;
}

/** How marks with axes are drawn, and layers of them. */
export const MARKS_DRAWER: Drawer = {
  draw: (look, data, options) =>
    drawSpec(vegaLiteSpec(look, withForecastPeriods(look, withPeriodGaps(look, boxRows(look, data))), options), {
      ...options,
      hasSeries: true,
    }),
};

/** How the other kinds are drawn. */
export const DRAWERS: Readonly<Partial<Record<MarkType, Drawer>>> = {
  kpi: { draw: drawKpi, isAlwaysDrawn: true },
  table: { draw: ({ mark }, data, options) => drawTable(mark.columns, data, options), isAlwaysDrawn: true },
  pivot: {
    draw: ({ encoding = {} }, data, options) => drawTable(undefined, pivoted(encoding, data), options),
    isAlwaysDrawn: true,
  },
  arc: { ...MARKS_DRAWER, findNothing: ({ encoding }, data) => findNoShares(encoding?.theta?.field, data) },
  geoshape: {
    draw(look, data, options) {
      const map = mapRows(look, data);
      return map
        ? drawSpec(mapSpec(look, data, { ...options, map }), { ...options, isMap: true })
        : MARKS_DRAWER.draw(look, data, options);
    },
  },
  geopoint: { draw: drawPointMap },
  funnel: { draw: drawFunnel, findNothing: ({ encoding }, data) => findNoShares(encoding?.x?.field, data) },
  waterfall: {
    draw: (look, data, options) => drawSpec(waterfallSpec(look, data, options), options),
    findNothing: findRepeated,
  },
  treemap: { draw: drawTreemap, findNothing: ({ encoding }, data) => findNoShares(encoding?.size?.field, data) },
  gauge: { draw: drawGauge },
  calendar: { draw: drawCalendar, findNothing: findNoDays },
  sankey: {
    draw: drawSankey,
    findNothing: (look, data) => findNoShares(look.encoding?.size?.field, data) ?? findBackFlows(look, data),
  },
};
