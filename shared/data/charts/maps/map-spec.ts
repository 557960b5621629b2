import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { TopLevelSpec } from 'vega-lite';
import type { ChartData } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { chartRoom } from '../chart-room.ts';
import { cellsOf, drawnColumns } from '../drawn-columns.ts';
import { rowLabel } from '../row-label.ts';
import { ShownTexts } from '../shown-texts.ts';
import { wrapped } from '../svg.ts';
import { FONT_FAMILIES, mixed, seriesColors, surfaceOf, type ThemeTokens } from '../theme.ts';
import { channelDefinition, type Scope } from '../vega-lite-channel.ts';
import type { Size } from '../vega-lite-spec.ts';
import COUNTRIES from './countries.geo.json' with { type: 'json' };
import type { Geography } from './geographies.ts';
import { type MapRows, mapWarnings } from './map-rows.ts';
import STATES from './us-states.geo.json' with { type: 'json' };

type Json = Record<string, unknown>;
type Shapes = Topology<{ places: GeometryCollection }>;

const SHAPES = { countries: COUNTRIES, 'us-states': STATES } as unknown as Readonly<Record<Geography, Shapes>>;
/** The shapes of states are on a plane already. */
const PROJECTIONS: Readonly<Record<Geography, Json>> = {
  countries: { type: 'equalEarth' },
  'us-states': { type: 'identity' },
};
/** The area of the point of a small place, in square pixels. */
const MIN_POINT = 8;
const NOTE_SIZE = 11;
/** Vega takes texts for wider than they are, and a line wider than the map would make it smaller. */
const NOTE_SHARE = 0.7;
const NARROW = 560;

/** The map as a specification of Vega-Lite: the places without rows, then those with rows, and small ones as points. */
export function mapSpec(look: ChartLook, data: ChartData, options: MapOptions): TopLevelSpec {
  const { map, width, height } = options;
  const columns = drawnColumns(data);
  const texts = new ShownTexts(data);
  const { color } = look.encoding ?? {};
  const scope: Scope = {
    mark: 'geoshape',
    columns,
    texts,
    encoding: {},
    look,
    data,
    size: { width, height },
    room: chartRoom([{ mark: look.mark, encoding: { ...(color && { color }) } }], {
      columns,
      texts,
      data,
      config: look.config,
      size: { width, height },
    }),
    colors: seriesColors(options.theme),
    muted: surfaceOf(options.theme).muted,
    hasNames: false,
  };
  const encoding = {
    // A scale of no values has no ends.
    ...(color && map.found.length > 0 && colorOf(channelDefinition('color', color, scope).color as Json, options)),
    description: { field: 'label', type: 'nominal' },
  };
  const valuesOf = ({ place, row }: Found): Json => ({
    ...Object.assign(
      {},
      ...columns.map((drawn, at) => cellsOf(drawn, data.rows[row]![at])),
      texts.cells(data.rows[row]!),
    ),
    label: labelOf(look, data, map, { place, row }),
    row,
  });
  return {
    background: null,
    width,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    projection: PROJECTIONS[map.geography],
    ...noteOf(map, options),
    layer: layersOf(look, options, { encoding, valuesOf }),
  } as unknown as TopLevelSpec;
}

/** The legend of a narrow map is below it, and the lowest value differs from places without rows. */
function colorOf(color: Json, { width, theme }: MapOptions): Json {
  const { background } = surfaceOf(theme);
  const main = theme.palette[0]!;
  const range = color.type === 'quantitative' && { range: [mixed(background, main, theme.dark ? 0.4 : 0.25), main] };
  const legend = color.legend as Json | null;
  const placed = { ...(width < NARROW && { orient: 'bottom', direction: 'horizontal' }), ...legend };
  return { color: { ...color, scale: { ...range, ...(color.scale as Json) }, legend: legend && placed } };
}

interface MapOptions extends Size {
  map: MapRows;
  theme: ThemeTokens;
}

interface Marked {
  encoding: Json;
  valuesOf(found: Found): Json;
}

function layersOf({ mark }: ChartLook, { map, theme, width, height }: MapOptions, { encoding, valuesOf }: Marked) {
  const shapes = shapesOf(map.geography);
  const small = map.found.filter(({ place }) => place.point);
  const large = map.found.filter(({ place }) => !place.point);
  const withRows = new Set(large.map(({ place }) => place.id));
  const { background, raised } = surfaceOf(theme);
  const border = { stroke: background, strokeWidth: mark.strokeWidth ?? 0.5, strokeJoin: 'round' };
  const filled = { ...border, filled: true, color: mark.color ?? theme.palette[0], opacity: mark.opacity ?? 1 };
  const layers = [
    {
      data: { values: shapes.filter(({ id }) => !withRows.has(String(id))).map(({ geometry }) => shapeOf(geometry)) },
      mark: { type: 'geoshape', fill: raised, ...border, aria: false },
    },
    {
      data: { values: large.map((each) => ({ ...valuesOf(each), ...shapeOf(geometryOf(shapes, each.place.id)) })) },
      mark: { type: 'geoshape', ...filled },
      encoding,
    },
    {
      data: { values: small.map((each) => ({ ...valuesOf(each), x: each.place.point![0], y: each.place.point![1] })) },
      mark: { type: 'circle', ...filled, size: Math.max(MIN_POINT, Math.min(width, height) / 20) },
      encoding: {
        longitude: { field: 'x', type: 'quantitative' },
        latitude: { field: 'y', type: 'quantitative' },
        ...encoding,
      },
    },
  ];
  // An empty group of marks would have a role without a name.
  return layers.filter(({ data }) => data.values.length > 0);
}

/** The name of the place, whatever its row calls it, and the value. */
function labelOf({ encoding = {} }: ChartLook, { columns, rows }: ChartData, map: MapRows, { place, row }: Found) {
  const { shape, color, tooltip } = encoding;
  if (tooltip?.length) return rowLabel(tooltip, columns, rows[row]!);
  const cells = rows[row]!.with(map.at, place.name);
  return rowLabel([shape!, ...(color ? [color] : [])], columns, cells);
}

/** What the map leaves out, below it. */
function noteOf(map: MapRows, { theme, width }: MapOptions): Json {
  const lines = mapWarnings(map).flatMap((text) => wrapped(text, width * NOTE_SHARE, NOTE_SIZE));
  if (lines.length === 0) return {};
  const look = { anchor: 'start', frame: 'bounds', orient: 'bottom', fontSize: NOTE_SIZE, fontWeight: 400 };
  return { title: { text: lines, ...look, color: surfaceOf(theme).muted, font: FONT_FAMILIES[theme.fonts.body] } };
}

type Found = MapRows['found'][number];

const shapeOf = (geometry: GeoJSON.Geometry): Json => ({ type: 'Feature', geometry });

const shapesOf = (geography: Geography): GeoJSON.Feature[] =>
  feature(SHAPES[geography], SHAPES[geography].objects.places).features;

/** The outlines of countries, in degrees. */
export const countryShapes = (): GeoJSON.Feature[] => shapesOf('countries');

const geometryOf = (shapes: readonly GeoJSON.Feature[], id: string): GeoJSON.Geometry =>
  shapes.find((each) => each.id === id)!.geometry;
