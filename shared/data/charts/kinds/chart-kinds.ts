import { type ChartColumn, kindOf } from '../chart-columns.ts';
import type { ChannelName, Mark, MarkType } from '../chart-look.ts';

/** Members of a mark that belong to some kinds only. */
export const SETTINGS = ['geography', 'target', 'direction', 'range', 'bands', 'total'] as const;
export type Setting = (typeof SETTINGS)[number];

/** What a channel needs from its column. */
interface Need {
  fits(column: ChartColumn): boolean;
  message: string;
}

/** What distinguishes a kind of chart where it is checked and described. `drawers.ts` has how it is drawn. */
export interface ChartKind {
  /** As the alternative texts of pictures call it. */
  name: string;
  /** The channels without which it shows nothing: of each list, one. */
  needs: readonly (readonly ChannelName[])[];
  /** For kinds that reject other channels: those that they take, besides `tooltip`. */
  takes?: Readonly<Partial<Record<ChannelName, Need>>>;
  settings?: readonly Setting[];
  /** Whether it cannot be a layer of another chart. */
  isAlone?: boolean;
  /** What is wrong with its settings, beyond their shapes. */
  findIssues?(mark: Mark): { member: Setting; message: string }[];
}

const ANY: Need = { fits: () => true, message: '' };
const NUMBER: Need = { fits: (column) => kindOf(column) === 'number', message: 'must be a column with numbers' };
const DATE: Need = { fits: (column) => kindOf(column) === 'time', message: 'must be a column with dates' };
const PLACE: Need = {
  fits: (column) => kindOf(column) !== 'time',
  message: 'must be a column with names or codes of places',
};

export const CHART_KINDS: Readonly<Record<MarkType, ChartKind>> = {
  bar: { name: 'Bar chart', needs: [['x', 'y']] },
  line: { name: 'Line chart', needs: [['x'], ['y']] },
  area: { name: 'Area chart', needs: [['x'], ['y']] },
  point: { name: 'Scatter chart', needs: [['x', 'y']] },
  rect: { name: 'Heat map', needs: [['x', 'y']] },
  arc: { name: 'Pie chart', needs: [['theta']] },
  boxplot: { name: 'Box plot', needs: [['x', 'y']] },
  rule: { name: 'Chart', needs: [['x', 'y']] },
  text: { name: 'Chart', needs: [['text']] },
  table: { name: 'Table', needs: [], isAlone: true },
  pivot: { name: 'Pivot table', needs: [['row'], ['column']], isAlone: true },
  kpi: { name: 'Number', needs: [], settings: ['target', 'direction'], isAlone: true },
  geoshape: {
    name: 'Map',
    needs: [['shape']],
    takes: { shape: PLACE, color: ANY },
    settings: ['geography'],
    isAlone: true,
  },
  geopoint: {
    name: 'Map of points',
    needs: [['longitude'], ['latitude']],
    takes: { longitude: NUMBER, latitude: NUMBER, size: NUMBER, color: ANY, text: ANY },
    isAlone: true,
  },
  funnel: { name: 'Funnel', needs: [['x'], ['y']], takes: { x: NUMBER, y: ANY }, isAlone: true },
  waterfall: {
    name: 'Waterfall chart',
    needs: [['x'], ['y']],
    takes: { x: ANY, y: NUMBER },
    settings: ['direction', 'total'],
    isAlone: true,
  },
  treemap: {
    name: 'Treemap',
    needs: [['text'], ['size']],
    takes: { text: ANY, size: NUMBER, color: ANY },
    isAlone: true,
  },
  gauge: {
    name: 'Gauge',
    needs: [['text']],
    takes: { text: NUMBER, order: ANY },
    settings: ['target', 'range', 'bands'],
    isAlone: true,
    findIssues: gaugeIssues,
  },
  calendar: { name: 'Calendar', needs: [['x'], ['color']], takes: { x: DATE, color: NUMBER }, isAlone: true },
  sankey: {
    name: 'Sankey diagram',
    needs: [['from'], ['to'], ['size']],
    takes: { from: ANY, to: ANY, size: NUMBER },
    isAlone: true,
  },
};

/** The kinds that a setting belongs to. */
export const kindsWith = (setting: Setting): string[] =>
  Object.entries(CHART_KINDS).flatMap(([type, { settings }]) => (settings?.includes(setting) ? [type] : []));

function gaugeIssues({ range, bands }: Mark): { member: Setting; message: string }[] {
  const isDown = range && range[0]! >= range[1]!;
  const isUnsorted = bands?.some(({ to }, index) => index > 0 && to <= bands[index - 1]!.to);
  return [
    ...(isDown ? [{ member: 'range' as const, message: 'must begin below its end' }] : []),
    ...(isUnsorted ? [{ member: 'bands' as const, message: 'must be in rising order' }] : []),
  ];
}
