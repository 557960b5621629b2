import { projection as projectionOf } from 'vega';
import { type ChartData, kindOf } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { countryShapes } from '../maps/map-spec.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { labelledBy, rowLabel } from '../row-label.ts';
import { element } from '../svg.ts';
import { textWidth } from '../text-width.ts';
import { mixed, seriesColors, surfaceOf } from '../theme.ts';
import {
  fitText,
  mark,
  nameIn,
  numberIn,
  type PictureOptions,
  picture,
  ramp,
  type Shown,
  shortNumber,
  shownAt,
  textAt,
} from './picture.ts';

/** A map of points that are closer to each other shows what is around them. */
const MIN_SPAN = 12;
/** Wider regions are drawn as the whole world. */
const MAX_SPAN = 150;
const PADDING = 14;
const LEGEND = 18;
const MAX_LABELS = 40;
const FEW_POINTS = 60;

interface Projection {
  (point: [number, number]): [number, number] | null;
  fitExtent(extent: [[number, number], [number, number]], object: GeoJSON.GeoJSON): Projection;
  clipExtent(extent: [[number, number], [number, number]]): Projection;
  precision(value: number): Projection;
  path: { projection(projection: Projection): (object: GeoJSON.GeoJSON) => string | null };
}

interface Point {
  row: number;
  at: [number, number];
  value: number | null;
}

/** Points at degrees of longitude and latitude, over the outlines of countries. */
export function drawPointMap(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const [longitude, latitude] = [shownAt('longitude', look.encoding, data), shownAt('latitude', look.encoding, data)];
  if (!longitude || !latitude) return picture(options);
  const [size, color, names] = (['size', 'color', 'text'] as const).map((channel) =>
    shownAt(channel, look.encoding, data),
  );
  const { width, height, theme } = options;
  const { background, raised, line, text, muted } = surfaceOf(theme);
  const points = pointsOf(data, longitude, latitude, size);
  const leftOut = data.rows.length - points.length;
  const noted = leftOut > 0 ? LEGEND : 0;
  const legend = legendOf(color, data, look, { ...options, height: height - noted });
  const below = legend.height + noted;
  const plot = { width, height: Math.max(40, height - below) };
  const projection = projectionFor(points, plot);
  const path = projection.path.projection(projection);
  const land = countryShapes()
    .map((shape) => path(shape))
    .filter((d) => d !== null);
  const most = Math.max(...points.map(({ value }) => Math.abs(value ?? 0)), Number.MIN_VALUE);
  // Many points are smaller, so that they cover fewer others.
  const crowd = Math.min(1, Math.sqrt(FEW_POINTS / Math.max(1, points.length)));
  const largest = Math.max(4, Math.min(24, Math.min(plot.width, plot.height) / 14) * crowd);
  const radiusOf = ({ value }: Point) =>
    size ? Math.max(2, largest * Math.sqrt(Math.abs(value ?? 0) / most)) : Math.max(2.5, Math.min(4.5, largest / 3));
  const labelled = labelledBy('geopoint', look.encoding ?? {});
  const placed = points
    .toSorted((one, other) => radiusOf(other) - radiusOf(one))
    .flatMap((point) => {
      const at = projection(point.at);
      return at ? [{ ...point, x: at[0], y: at[1], radius: radiusOf(point) }] : [];
    });
  return picture(
    options,
    ...land.map((d) =>
      element('path', { d: shortened(d), fill: raised, stroke: mixed(line, muted, 0.25), 'stroke-width': 0.5 }),
    ),
    ...placed.map(({ row, x, y, radius }) =>
      mark('circle', 'point', rowLabel(labelled, data.columns, data.rows[row]!), row, {
        ...{ cx: x, cy: y, r: radius, fill: legend.colorOf(data.rows[row]!), stroke: background, 'stroke-width': 0.75 },
        'fill-opacity': look.mark.opacity ?? 0.85,
      }),
    ),
    ...(names ? labelsOf(placed, names, data, { ...options, ...plot, text }) : []),
    ...legend.parts,
    leftOut > 0
      ? textAt(
          0,
          height - 4,
          fitText(`${leftOut} ${leftOut === 1 ? 'row has' : 'rows have'} no place on the map`, width, LABEL_SIZE),
          { fill: muted },
        )
      : '',
  );
}

/** Rows without coordinates, and with coordinates beyond the poles or all around the earth, are left out. */
function pointsOf({ rows }: ChartData, longitude: Shown, latitude: Shown, size: Shown | undefined): Point[] {
  return rows.flatMap((cells, row): Point[] => {
    const [x, y] = [numberIn(longitude, cells), numberIn(latitude, cells)];
    if (x === null || y === null || Math.abs(x) > 180 || Math.abs(y) > 90) return [];
    return [{ row, at: [x, y], value: size ? numberIn(size, cells) : null }];
  });
}

/** The region of the points with a margin, or the world. */
function projectionFor(points: readonly Point[], { width, height }: { width: number; height: number }): Projection {
  const [xs, ys] = [points.map(({ at }) => at[0]), points.map(({ at }) => at[1])];
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const make = (name: string) => (projectionOf as unknown as (name: string) => () => Projection)(name)();
  const whole: [[number, number], [number, number]] = [
    [0, 0],
    [width, height],
  ];
  if (points.length === 0 || east - west > MAX_SPAN || Math.max(Math.abs(south), Math.abs(north)) > 80)
    return make('equalEarth').fitExtent(whole, { type: 'Sphere' } as never);
  const grown = (from: number, to: number): [number, number] => {
    const more = Math.max(0, MIN_SPAN - (to - from)) / 2;
    return [from - more, to + more];
  };
  const [[left, right], [bottom, top]] = [grown(west, east), grown(south, north)];
  const corners: GeoJSON.MultiPoint = {
    type: 'MultiPoint',
    coordinates: [left, right].flatMap((x) => [bottom, top].map((y) => [x, Math.max(-84, Math.min(84, y))])),
  };
  return make('mercator')
    .fitExtent(
      [
        [PADDING, PADDING],
        [width - PADDING, height - PADDING],
      ],
      corners,
    )
    .clipExtent(whole);
}

const shortened = (d: string): string =>
  d.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));

interface Placed extends Point {
  x: number;
  y: number;
  radius: number;
}

/** The names of the largest points, where they cover neither each other nor the edge. */
function labelsOf(
  points: readonly Placed[],
  names: Shown,
  { rows }: ChartData,
  { width, height, text, theme }: { width: number; height: number; text: string; theme: PictureOptions['theme'] },
): string[] {
  const taken: { x1: number; x2: number; y1: number; y2: number }[] = [];
  const font = { isMono: theme.fonts.body === 'mono' };
  const written: string[] = [];
  for (const { row, x, y, radius } of points.slice(0, 5 * MAX_LABELS)) {
    const name = fitText(nameIn(names, rows[row]!), Math.max(60, width / 4), LABEL_SIZE, font);
    const length = textWidth(name, LABEL_SIZE, font);
    const isLeft = x + radius + 3 + length > width;
    const start = isLeft ? x - radius - 3 - length : x + radius + 3;
    const box = { x1: start, x2: start + length, y1: y - LABEL_SIZE * 0.6, y2: y + LABEL_SIZE * 0.6 };
    const isCovered = taken.some(
      (each) => each.x1 < box.x2 && box.x1 < each.x2 && each.y1 < box.y2 && box.y1 < each.y2,
    );
    const isOnPoint = points.some(
      (point) =>
        point.row !== row &&
        box.x1 < point.x + point.radius &&
        box.x2 > point.x - point.radius &&
        box.y1 < point.y + point.radius &&
        box.y2 > point.y - point.radius,
    );
    if (name === '' || isCovered || isOnPoint || start < 0 || box.y1 < 0 || box.y2 > height) continue;
    taken.push(box);
    written.push(textAt(start, y + LABEL_SIZE * 0.36, name, { fill: text }));
    if (written.length >= MAX_LABELS) break;
  }
  return written;
}

interface MapLegend {
  height: number;
  parts: string[];
  colorOf(row: readonly unknown[]): string;
}

/** The names with their colors, or the ends of the scale of numbers, in one line below the map. */
function legendOf(color: Shown | undefined, { rows }: ChartData, look: ChartLook, options: PictureOptions): MapLegend {
  const { width, height, theme } = options;
  const main = look.mark.color ?? theme.palette[0]!;
  const { background, muted, text } = surfaceOf(theme);
  if (!color) return { height: 0, parts: [], colorOf: () => main };
  const baseline = height - 4;
  const swatch = (x: number, fill: string) => element('circle', { cx: x + 5, cy: baseline - 4, r: 5, fill });
  if (kindOf(color.column) === 'number') {
    const values = rows.flatMap((row) => numberIn(color, row) ?? []);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    // Dots do not fade into the ground, which is dark or light.
    const [faint, full] = theme.dark ? [main, mixed(main, text, 0.7)] : [mixed(background, main, 0.4), main];
    const shade = ramp(faint, full);
    const shareOf = (value: number) => (value - low) / (high - low);
    const from = shortNumber(color, low);
    const start = textWidth(from, LABEL_SIZE) + 6;
    if (low >= high)
      return {
        height: LEGEND,
        parts: [swatch(0, main), textAt(14, baseline, from, { fill: muted })],
        colorOf: () => main,
      };
    return {
      height: LEGEND,
      parts: [
        textAt(0, baseline, from, { fill: muted }),
        ...[0, 1, 2, 3, 4].map((at) => swatch(start + at * 13, shade(at / 4))),
        textAt(start + 5 * 13 + 4, baseline, shortNumber(color, high), { fill: muted }),
      ],
      colorOf: (row) => shade(shareOf(numberIn(color, row) ?? low)),
    };
  }
  const known = [...new Set(rows.map((row) => nameIn(color, row)))];
  const colors = seriesColors(theme);
  const fillOf = (name: string) => {
    const at = known.indexOf(name);
    return at < colors.length ? colors[at]! : muted;
  };
  const parts: string[] = [];
  let x = 0;
  for (const [index, name] of known.entries()) {
    const more = `+${known.length - index}`;
    const shown = fitText(name, Math.min(140, width - x - 16), LABEL_SIZE);
    const end = x + 14 + textWidth(shown, LABEL_SIZE) + 12;
    const hasRoom = shown !== '' && end + (index < known.length - 1 ? 30 : 0) <= width + 12;
    if (!hasRoom || index >= colors.length) {
      parts.push(textAt(x, baseline, more, { fill: muted }));
      break;
    }
    parts.push(swatch(x, fillOf(name)), textAt(x + 14, baseline, shown, { fill: muted }));
    x = end;
  }
  return { height: LEGEND, parts, colorOf: (row) => fillOf(nameIn(color, row)) };
}
