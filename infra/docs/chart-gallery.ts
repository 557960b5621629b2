import type { ChartColumn, ChartData } from '../../shared/data/charts/chart-columns.ts';
import { drawChart } from '../../shared/data/charts/draw.ts';
import { DEFAULT_TOKENS, surfaceOf, type ThemeTokens } from '../../shared/data/charts/theme.ts';
import { type Example, KIND_EXAMPLES } from './gallery-kinds.ts';
import { ages, cities, countries, days, months, regions, states } from './gallery-rows.ts';
import { table } from './markdown-table.ts';

const SIZE = { width: 360, height: 220 };
const PADDING = 12;
const THEMES: Readonly<Record<string, ThemeTokens>> = {
  light: DEFAULT_TOKENS,
  dark: { ...DEFAULT_TOKENS, dark: true },
};

/** Two themes as workspaces make them: other colors, fonts and corners. */
const CUSTOM: Readonly<Record<string, ThemeTokens>> = {
  paper: {
    palette: ['#7a3b2e', '#c8963e', '#3f6b5c', '#8d8371', '#2f4858', '#b5654a'],
    fonts: { body: 'serif', heading: 'serif' },
    radius: 0,
    dark: false,
  },
  terminal: {
    palette: ['#39d98a', '#ffb454', '#5cc8ff', '#ff6b81', '#c792ea', '#f7e26b'],
    fonts: { body: 'mono', heading: 'mono' },
    radius: 12,
    dark: true,
  },
};
const IN_CUSTOM = ['bar-stacked', 'line', 'rect', 'arc-donut', 'boxplot', 'table', 'pivot', 'kpi'];

const dimension = (name: string, type = 'string', more: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  role: 'dimension',
  type,
  ...more,
});
const measure = (name: string, type = 'decimal'): ChartColumn => ({ name, role: 'measure', type });
const [month, region, revenue, orders] = [
  dimension('Month', 'date', { grain: 'month' }),
  dimension('Region'),
  measure('Revenue'),
  measure('Orders', 'integer'),
];
const byMonth: ChartData = { columns: [month, revenue, orders], rows: months };
const byRegion: ChartData = { columns: [month, region, revenue], rows: regions };
const total: ChartData = {
  columns: [region, revenue],
  rows: regions.slice(0, 4).map(([, name, value]) => [name, value]),
};
const x = { field: 'Month' };
const y = { field: 'Revenue' };
const color = { field: 'Region' };

/** Every mark, and what is often made of it. */
export const EXAMPLES: readonly Example[] = [
  { name: 'bar', look: { mark: { type: 'bar' }, encoding: { x, y } }, data: byMonth },
  { name: 'bar-stacked', look: { mark: { type: 'bar' }, encoding: { x, y, color } }, data: byRegion },
  { name: 'bar-grouped', look: { mark: { type: 'bar' }, encoding: { x, y, color, xOffset: color } }, data: byRegion },
  {
    name: 'bar-horizontal',
    look: {
      mark: { type: 'bar' },
      encoding: { x: y, y: { field: 'Region', sort: '-x' } },
      config: { showLabels: true },
    },
    data: total,
  },
  {
    name: 'bar-histogram',
    look: { mark: { type: 'bar' }, encoding: { x: { field: 'Age' }, y: { field: 'People' } } },
    data: { columns: [dimension('Age', 'integer', { binWidth: 10 }), measure('People', 'integer')], rows: ages },
  },
  { name: 'line', look: { mark: { type: 'line' }, encoding: { x, y, color } }, data: byRegion },
  {
    name: 'bar-goal',
    look: {
      mark: { type: 'bar' },
      encoding: { x, y },
      config: { lines: [{ value: 130, label: 'Goal', color: '#ff725c' }] },
    },
    data: byMonth,
  },
  { name: 'area', look: { mark: { type: 'area' }, encoding: { x, y, color } }, data: byRegion },
  {
    name: 'layers',
    look: {
      mark: { type: 'bar' },
      layer: [
        { mark: { type: 'bar' }, encoding: { x, y } },
        { mark: { type: 'line', color: '#efb118', point: true }, encoding: { x, y: { field: 'Orders' } } },
      ],
      config: { independentY: true },
    },
    data: byMonth,
  },
  {
    name: 'point',
    look: {
      mark: { type: 'point' },
      encoding: { x: { field: 'Price' }, y: { field: 'Sold' }, size: { field: 'Stores' }, color: { field: 'Kind' } },
    },
    data: {
      columns: [dimension('City'), dimension('Kind'), measure('Price'), measure('Sold'), measure('Stores', 'integer')],
      rows: cities,
    },
  },
  { name: 'rect', look: { mark: { type: 'rect' }, encoding: { x, y: { field: 'Region' }, color: y } }, data: byRegion },
  { name: 'arc', look: { mark: { type: 'arc' }, encoding: { theta: y, color } }, data: total },
  {
    name: 'arc-donut',
    look: { mark: { type: 'arc', innerRadius: 0.6 }, encoding: { theta: y, color } },
    data: total,
  },
  {
    name: 'boxplot',
    look: { mark: { type: 'boxplot' }, encoding: { x: { field: 'Kind' }, y: { field: 'Minutes' } } },
    data: { columns: [dimension('Kind'), measure('Minutes')], rows: days },
  },
  {
    name: 'rule',
    look: {
      mark: { type: 'bar' },
      layer: [
        { mark: { type: 'bar' }, encoding: { x, y } },
        { mark: { type: 'rule', color: '#ff725c', strokeWidth: 2 }, encoding: { y: { field: 'Goal' } } },
      ],
    },
    data: { columns: [month, revenue, measure('Goal')], rows: months.map(([each, value]) => [each, value, 120]) },
  },
  {
    name: 'text',
    look: { mark: { type: 'text' }, encoding: { x, y: { field: 'Region' }, text: y } },
    data: { ...byRegion, rows: regions.slice(0, 16) },
  },
  {
    name: 'geoshape-countries',
    look: { mark: { type: 'geoshape' }, encoding: { shape: { field: 'Country' }, color: y } },
    data: { columns: [dimension('Country'), revenue], rows: countries },
  },
  {
    name: 'geoshape-us-states',
    look: { mark: { type: 'geoshape', geography: 'us-states' }, encoding: { shape: { field: 'State' }, color: y } },
    data: { columns: [dimension('State'), revenue], rows: states },
  },
  {
    name: 'table',
    look: {
      mark: {
        type: 'table',
        columns: [{ field: 'Month' }, { field: 'Revenue', showBar: true }, { field: 'Orders', showColor: true }],
      },
    },
    data: byMonth,
  },
  {
    name: 'table-rules',
    look: {
      mark: {
        type: 'table',
        columns: [
          { field: 'Month' },
          {
            field: 'Revenue',
            rules: [
              { op: 'gte', value: 130, color: '#19794a', icon: 'up' },
              { op: 'lt', value: 105, color: '#b93322', icon: 'down' },
              { op: 'lt', value: 130, icon: 'right' },
            ],
          },
          { field: 'Orders', showColor: true, colors: ['#efb118', '#ffffff', '#4269d0'] },
        ],
      },
    },
    data: byMonth,
  },
  {
    name: 'pivot',
    look: { mark: { type: 'pivot' }, encoding: { row: { field: 'Month' }, column: { field: 'Region' }, text: y } },
    data: byRegion,
  },
  { name: 'kpi', look: { mark: { type: 'kpi', target: 120 } }, data: byMonth },
  ...KIND_EXAMPLES,
];

/** The pictures by file name, and the tables that show them. */
export async function chartGallery(): Promise<{ files: Record<string, string>; table: string }> {
  const files: Record<string, string> = {};
  const builtIn = await drawn(EXAMPLES, THEMES, files);
  const custom = await drawn(
    EXAMPLES.filter(({ name }) => IN_CUSTOM.includes(name)),
    CUSTOM,
    files,
  );
  return { files, table: [builtIn, CUSTOM_TEXT, custom].join('\n\n') };
}

const CUSTOM_TEXT = `Some of them in two [themes of a workspace](dashboards.md#themes):

${table(
  ['Theme', '`palette`', '`fonts`', '`radius`', '`dark`'],
  Object.entries(CUSTOM).map(([name, { palette, fonts, radius, dark }]) => [
    name,
    palette.map((color) => `\`${color}\``).join(' '),
    `\`${fonts.heading}\``,
    String(radius),
    `\`${dark}\``,
  ]),
)}`;

/** Adds the pictures to `files`, and returns their table. */
async function drawn(
  examples: readonly Example[],
  themes: Readonly<Record<string, ThemeTokens>>,
  files: Record<string, string>,
): Promise<string> {
  const rows: string[][] = [];
  for (const { name, look, data } of examples) {
    const pictures: string[] = [];
    for (const [theme, tokens] of Object.entries(themes)) {
      const description = `${name} in the ${theme} theme`;
      const file = `${name}-${theme}.svg`;
      files[file] = framed(await drawChart(look, data, { ...SIZE, theme: tokens, description }), tokens);
      pictures.push(`![${description}](charts/${file})`);
    }
    rows.push([`\`${name}\``, ...pictures]);
  }
  return table(['Chart', ...Object.keys(themes)], rows);
}

/** On the background of its theme: a page may have another one. */
function framed(svg: string, tokens: ThemeTokens): string {
  const [width, height] = [SIZE.width + 2 * PADDING, SIZE.height + 2 * PADDING];
  const { background } = surfaceOf(tokens);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" rx="6" fill="${background}"/><svg x="${PADDING}" y="${PADDING}"${svg.slice('<svg'.length)}</svg>\n`;
}

const MARKERS = ['<!-- gallery: written by npm run docs -->', '<!-- end of the gallery -->'] as const;

/** The guide with the table between its markers. */
export function withGallery(guide: string, gallery: string): string {
  const [before, rest] = guide.split(MARKERS[0]);
  const after = rest?.split(MARKERS[1])[1];
  if (after === undefined) throw new Error(`docs/charts.md needs the lines ${MARKERS.join(' and ')}.`);
  return `${before}${MARKERS[0]}\n\n${gallery}\n\n${MARKERS[1]}${after}`;
}
