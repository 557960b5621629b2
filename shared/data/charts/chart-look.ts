import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Nullable, StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { GEOGRAPHIES } from './maps/geographies.ts';

/**
 * How a chart looks: a part of Vega-Lite without data, addresses, expressions and signals, so that a specification can
 * neither run code nor reach anything. Members have the names and meanings of Vega-Lite where it has them.
 */

export const MARKS = [
  'bar',
  'line',
  'area',
  'point',
  'rect',
  'arc',
  'boxplot',
  'rule',
  'text',
  'geoshape',
  'table',
  'kpi',
  'pivot',
  'funnel',
  'waterfall',
  'treemap',
  'gauge',
  'calendar',
  'sankey',
  'geopoint',
] as const;
export type MarkType = (typeof MARKS)[number];

export const Colour = Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', description: 'Such as `#2f6fde`.' });

const Title = Nullable(Type.String({ maxLength: 200, description: 'Null for none.' }));
const Format = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'A format of d3: `,.1f` and `.0%` for numbers, `%b %Y` for dates.',
});
const ColumnName = Type.String({ minLength: 1, maxLength: 200, description: 'A column of the query, by its name.' });
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const within = (minimum: number, maximum: number, description?: string) =>
  Type.Optional(Type.Number({ minimum, maximum, ...(description && { description }) }));

const TableRule = StrictObject(
  {
    op: StringEnum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains']),
    value: Type.Union([Type.Number(), Type.String({ maxLength: 200 })], {
      description: 'A number for columns with numbers; a text, or a date such as `2026-01-31`, for others.',
    }),
    color: Type.Optional(Colour),
    icon: Type.Optional(StringEnum(['up', 'down', 'right', 'dot'])),
  },
  { $id: 'ChartTableRule', description: 'Colors the cells with some values, or has an icon before them.' },
);

const TableColumn = StrictObject(
  {
    field: ColumnName,
    title: Type.Optional(Title),
    format: Type.Optional(Format),
    showBar: Flag('Draws a bar behind each number.'),
    showColor: Flag('Colors each cell by its number.'),
    colors: Type.Optional(
      Type.Array(Colour, {
        minItems: 2,
        maxItems: 3,
        description: 'The colors of the least and the largest number of `showColor`, perhaps with one between them.',
      }),
    ),
    rules: Type.Optional(
      Type.Array(TableRule, { minItems: 1, maxItems: 10, description: 'The first one that a value meets applies.' }),
    ),
    link: Type.Optional(
      StrictObject(
        { field: ColumnName },
        { $id: 'ChartTableLink', description: 'The column with the addresses that the cells link to.' },
      ),
    ),
    width: within(40, 800, 'In pixels on a page; pictures share their width in proportion.'),
    wrap: Flag('Whether long texts have several lines on a page. True by default.'),
  },
  { $id: 'ChartTableColumn', description: 'A column of a table.' },
);

const Name = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f]+$', ...(description && { description }) });

const Band = StrictObject(
  { to: Type.Number({ description: 'Where it ends. It begins where the one before ends.' }), color: Colour },
  { $id: 'ChartBand', description: 'A part of the range of a gauge.' },
);

export const Mark = StrictObject(
  {
    type: StringEnum(MARKS, {
      description:
        '`kpi` and `gauge` show one number, `table` and `pivot` show rows, `geoshape` colors the places of a map, and `geopoint` has points on it; `funnel`, `waterfall`, `treemap`, `calendar` and `sankey` are charts of their own. The others are those of Vega-Lite.',
    }),
    color: Type.Optional(Colour),
    opacity: within(0, 1),
    interpolate: Type.Optional(StringEnum(['linear', 'monotone', 'step', 'step-before', 'step-after'])),
    point: Flag('Shows the points of a line or an area.'),
    filled: Flag('Fills points.'),
    size: within(1, 2000, 'The area of a point in square pixels, or the width of a bar in pixels.'),
    strokeWidth: within(0, 20),
    innerRadius: within(0, 0.95, 'For `arc`: the share of the radius that is left empty, as in a donut chart.'),
    cornerRadius: within(0, 40),
    extent: Type.Optional(
      StringEnum(['min-max', 'tukey'], {
        description: 'How far the whiskers of a `boxplot` reach. `tukey` by default.',
      }),
    ),
    geography: Type.Optional(
      StringEnum(GEOGRAPHIES, { description: 'The map of a `geoshape`. `countries` by default.' }),
    ),
    target: Type.Optional(
      Type.Union([Type.Number(), ColumnName], {
        description: 'For `kpi` and `gauge`: what the number should be, or the name of a column that has it.',
      }),
    ),
    direction: Type.Optional(
      StringEnum(['up_good', 'down_good'], {
        description: 'For `kpi` and `waterfall`: whether more is better, or less.',
      }),
    ),
    range: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 2,
        maxItems: 2,
        description: 'For `gauge`: its least and its largest number. By default from 0 to a round number.',
      }),
    ),
    bands: Type.Optional(
      Type.Array(Band, { minItems: 1, maxItems: 6, description: 'For `gauge`: parts of its range, in rising order.' }),
    ),
    total: Type.Optional(
      Nullable(Name('For `waterfall`: what the last bar is called, `Total` by default. Null for none.')),
    ),
    columns: Type.Optional(
      Type.Array(TableColumn, { minItems: 1, maxItems: 100, description: 'For `table`; all columns by default.' }),
    ),
  },
  { $id: 'ChartMark', description: 'What is drawn for each row.' },
);
export type Mark = Static<typeof Mark>;

const Scale = StrictObject(
  {
    type: Type.Optional(StringEnum(['linear', 'log', 'sqrt', 'symlog'])),
    zero: Flag('Whether the scale includes 0.'),
    reverse: Flag('Whether the scale runs backwards.'),
    nice: Flag('Whether the scale ends at round numbers.'),
    domain: Type.Optional(
      Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 200 })]), {
        minItems: 1,
        maxItems: 100,
        description: 'Two numbers or dates for a continuous scale; the values in their order for others.',
      }),
    ),
    range: Type.Optional(Type.Array(Colour, { minItems: 1, maxItems: 100, description: 'For `color` only.' })),
  },
  { $id: 'ChartScale', description: 'How values become positions, sizes or colors.' },
);

const Axis = StrictObject(
  {
    title: Type.Optional(Title),
    format: Type.Optional(Format),
    grid: Type.Optional(Type.Boolean()),
    labels: Type.Optional(Type.Boolean()),
    ticks: Type.Optional(Type.Boolean()),
    labelAngle: within(-90, 90),
    tickCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
    orient: Type.Optional(StringEnum(['top', 'bottom', 'left', 'right'])),
  },
  { $id: 'ChartAxis', description: 'The axis of a position.' },
);

const Legend = StrictObject(
  {
    title: Type.Optional(Title),
    format: Type.Optional(Format),
    orient: Type.Optional(StringEnum(['left', 'right', 'top', 'bottom', 'none'])),
  },
  { $id: 'ChartLegend', description: 'The legend of a channel.' },
);

const Sort = Type.Union([
  StringEnum(['ascending', 'descending', 'x', '-x', 'y', '-y']),
  Type.Array(Type.Union([Type.String({ maxLength: 200 }), Type.Number()]), { minItems: 1, maxItems: 100 }),
  Type.Null(),
]);

const field = ColumnName;
const type = Type.Optional(
  StringEnum(['quantitative', 'nominal', 'ordinal', 'temporal'], {
    description: 'By default it follows from the type of the column.',
  }),
);
const shared = { field, type, title: Type.Optional(Title), format: Type.Optional(Format), scale: Type.Optional(Scale) };
const sort = Type.Optional(Sort);
const legend = Type.Optional(Nullable(Legend));

const Position = StrictObject(
  {
    ...shared,
    sort,
    axis: Type.Optional(Nullable(Axis)),
    stack: Type.Optional(
      Nullable(StringEnum(['zero', 'normalize', 'center'], { description: 'Null overlays instead of stacking.' })),
    ),
  },
  { $id: 'ChartPosition', description: 'A column as a position.' },
);
const Channel = StrictObject(
  { ...shared, sort, legend },
  { $id: 'ChartChannel', description: 'A column as a color, size, shape or angle.' },
);
const Facet = StrictObject(
  { field, type, title: Type.Optional(Title), format: Type.Optional(Format), sort },
  { $id: 'ChartFacet', description: 'A column as rows or columns of charts, or of a pivot table.' },
);
const Shown = StrictObject(
  { field, type, title: Type.Optional(Title), format: Type.Optional(Format) },
  { $id: 'ChartShown', description: 'A column shown as text.' },
);

export const Encoding = StrictObject(
  {
    x: Type.Optional(Position),
    y: Type.Optional(Position),
    xOffset: Type.Optional(Facet),
    color: Type.Optional(Channel),
    size: Type.Optional(Channel),
    shape: Type.Optional(Channel),
    theta: Type.Optional(Channel),
    row: Type.Optional(Facet),
    column: Type.Optional(Facet),
    order: Type.Optional(Facet),
    text: Type.Optional(Shown),
    from: Type.Optional(Facet),
    to: Type.Optional(Facet),
    longitude: Type.Optional(Shown),
    latitude: Type.Optional(Shown),
    tooltip: Type.Optional(Type.Array(Shown, { maxItems: 20 })),
  },
  { $id: 'ChartEncoding', description: 'Which column each channel shows.' },
);
export type Encoding = Static<typeof Encoding>;
export type ChannelName = Exclude<keyof Encoding, 'tooltip'>;

export const Layer = StrictObject(
  { mark: Mark, encoding: Encoding },
  { $id: 'ChartLayer', description: 'A mark on top of others, with the same axes unless they differ in kind.' },
);

const ChartLink = StrictObject(
  {
    title: Name('What the menu of a mark or row calls it.'),
    url: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^(https?://[^/?#{}\\\\\\s@]+([/?#][^\\u0000-\\u001f]*)?|mailto:[^\\u0000-\\u001f]+)$',
        description:
          'An address, with names of columns in braces after the host: `https://crm.example.com/customers/{Customer}`. The values of the row are inserted, encoded.',
      }),
    ),
    dashboardId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The dashboard to open, in place of `url`.' }),
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), ColumnName, {
        maxProperties: 20,
        description: 'With `dashboardId`: which column sets a filter of that dashboard, by the id of the filter.',
      }),
    ),
  },
  { $id: 'ChartLink', description: 'Where the menu of a mark or row leads on the page of a dashboard.' },
);
export type ChartLink = Static<typeof ChartLink>;

export const ChartConfig = StrictObject(
  {
    independentY: Flag('Gives each layer a vertical axis of its own.'),
    legend: Type.Optional(
      StringEnum(['left', 'right', 'top', 'bottom', 'none', 'direct'], {
        description:
          'Where the legend stands; by default where it has room. `direct` names lines at their ends instead, where there is room.',
      }),
    ),
    grid: Flag('Whether to draw grid lines.'),
    showLabels: Flag('Writes the value on each bar, arc or cell.'),
    lines: Type.Optional(
      Type.Array(
        StrictObject(
          {
            value: Type.Number(),
            label: Type.Optional(Name()),
            color: Type.Optional(Colour),
          },
          { $id: 'ChartLine', description: 'A goal, or another value to compare with.' },
        ),
        { minItems: 1, maxItems: 5, description: 'Lines across the plot, at values of the axis of numbers.' },
      ),
    ),
    trend: Type.Optional(
      StrictObject(
        {
          periods: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 60,
              description:
                'How many further periods the line continues for, with the band in which a value lies with a probability of 80 %. At most half as many as are known, and none if fewer than eight are.',
            }),
          ),
        },
        {
          $id: 'ChartTrend',
          description: 'A straight line through the points of each series of a `line` or `point`, by least squares.',
        },
      ),
    ),
    links: Type.Optional(
      Type.Array(ChartLink, { minItems: 1, maxItems: 5, description: 'What a click on a mark or row can open.' }),
    ),
  },
  { $id: 'ChartConfig', description: 'Settings of the whole chart.' },
);

export const lookProperties = {
  mark: Mark,
  encoding: Type.Optional(Encoding),
  layer: Type.Optional(
    Type.Array(Layer, {
      minItems: 1,
      maxItems: 4,
      description: 'Marks on top of each other. They replace the `mark` and `encoding` of the chart.',
    }),
  ),
  config: Type.Optional(ChartConfig),
};
const ChartLook = StrictObject(lookProperties);
export type ChartLook = Static<typeof ChartLook>;
