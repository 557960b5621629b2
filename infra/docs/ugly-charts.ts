import type { ChartLook, Encoding } from '../../shared/data/charts/chart-look.ts';
import { UGLY_KINDS } from './ugly-kinds.ts';
import {
  ARABIC,
  CJK,
  LONG,
  many,
  measure,
  month,
  monthAt,
  NAMED,
  noise,
  TIMED,
  type UglyChart,
  type UglyRows,
} from './ugly-rows.ts';

const at = (field: string) => ({ field });
const LINES = [
  { value: 500, label: 'Goal' },
  { value: 250.5, label: 'The average of all years before this one', color: '#ff725c' },
];
const OF_NAMES: Readonly<
  Record<string, Pick<ChartLook, 'mark'> & { encoding: Encoding; config?: ChartLook['config'] }>
> = {
  bar: { mark: { type: 'bar' }, encoding: { x: at('Name'), y: at('Amount') } },
  'bar with labels': {
    mark: { type: 'bar' },
    encoding: { x: at('Name'), y: at('Amount') },
    config: { showLabels: true },
  },
  'horizontal bar': {
    mark: { type: 'bar' },
    encoding: { x: at('Amount'), y: at('Name') },
    config: { showLabels: true },
  },
  pie: { mark: { type: 'arc' }, encoding: { theta: at('Amount'), color: at('Name') } },
  donut: {
    mark: { type: 'arc', innerRadius: 0.6 },
    encoding: { theta: at('Amount'), color: at('Name') },
    config: { showLabels: true },
  },
  point: { mark: { type: 'point' }, encoding: { x: at('Name'), y: at('Amount') } },
  cells: { mark: { type: 'rect' }, encoding: { y: at('Name'), color: at('Amount') } },
  table: { mark: { type: 'table', columns: [{ field: 'Name' }, { field: 'Amount', showBar: true }] }, encoding: {} },
  'table with rules': {
    mark: {
      type: 'table',
      columns: [
        { field: 'Name', width: 120 },
        {
          field: 'Amount',
          showColor: true,
          colors: ['#d64545', '#ffffff', '#19794a'],
          rules: [
            { op: 'lt', value: 100, color: '#b93322', icon: 'down' },
            { op: 'gt', value: 600, color: '#19794a', icon: 'up' },
            { op: 'gte', value: 100, icon: 'right' },
          ],
        },
      ],
    },
    encoding: {},
  },
  'bar with lines': {
    mark: { type: 'bar' },
    encoding: { x: at('Name'), y: at('Amount') },
    config: { showLabels: true, lines: LINES },
  },
  'horizontal bar with lines': {
    mark: { type: 'bar' },
    encoding: { x: at('Amount'), y: at('Name') },
    config: { showLabels: true, lines: LINES },
  },
  kpi: { mark: { type: 'kpi', target: 1234.5 }, encoding: { text: at('Amount') } },
};

const OF_PERIODS: Readonly<Record<string, ChartLook>> = {
  line: { mark: { type: 'line' }, encoding: { x: at('Month'), y: at('Amount'), color: at('Kind') } },
  'line with goals': {
    mark: { type: 'line' },
    encoding: { x: at('Month'), y: at('Amount'), color: at('Kind') },
    config: { lines: LINES },
  },
  'small multiples with goals': {
    mark: { type: 'line' },
    encoding: { x: at('Month'), y: at('Amount'), column: at('Kind') },
    config: { lines: LINES },
  },
  area: { mark: { type: 'area' }, encoding: { x: at('Month'), y: at('Amount'), color: at('Kind') } },
  'stacked bar': { mark: { type: 'bar' }, encoding: { x: at('Month'), y: at('Amount'), color: at('Kind') } },
  'grouped bar': {
    mark: { type: 'bar' },
    encoding: { x: at('Month'), y: at('Amount'), color: at('Kind'), xOffset: at('Kind') },
  },
  'heat map': { mark: { type: 'rect' }, encoding: { x: at('Month'), y: at('Kind'), color: at('Amount') } },
  'small multiples': {
    mark: { type: 'line' },
    encoding: { x: at('Month'), y: at('Amount'), column: at('Kind') },
  },
  pivot: { mark: { type: 'pivot' }, encoding: { row: at('Month'), column: at('Kind'), text: at('Amount') } },
  history: { mark: { type: 'kpi', target: 120, direction: 'down_good' }, encoding: { text: at('Amount') } },
};

/** Numbers of two sizes for the same periods, whose names are long or short. */
const PAIRED: Readonly<Record<string, UglyRows>> = Object.fromEntries(
  [
    ['short names', 'Amount', 'Count'],
    ['long names', LONG[0]!, LONG[1]!],
    ['Korean and Arabic', CJK[3]!, ARABIC[0]!],
  ].map(([what, one, other]) => [
    what!,
    {
      columns: [month, measure(one!), measure(other!)],
      rows: many(24, (index) => [
        monthAt(index),
        Math.round(2_000_000 * noise(index)),
        Math.round(90 * noise(index + 7)),
      ]),
    },
  ]),
);

const layered = (independentY: boolean): UglyChart[] =>
  Object.entries(PAIRED).map(([what, data]) => {
    const [first, second] = data.columns.slice(1).map((column) => ({ x: at('Month'), y: at(column.name) }));
    return {
      name: `${independentY ? 'two axes' : 'layers'}: ${what}`,
      look: {
        mark: { type: 'bar' },
        layer: [
          { mark: { type: 'bar' }, encoding: first! },
          { mark: { type: 'line', point: true }, encoding: second! },
        ],
        config: { independentY, lines: LINES },
      },
      data,
    };
  });

const combined = (looks: Readonly<Record<string, ChartLook>>, rows: Readonly<Record<string, UglyRows>>): UglyChart[] =>
  Object.entries(looks).flatMap(([chart, look]) =>
    Object.entries(rows).map(([what, data]) => ({ name: `${chart}: ${what}`, look, data })),
  );

/** Every kind of chart with every kind of rows that it takes. */
export const UGLY_CHARTS: readonly UglyChart[] = [
  ...combined(OF_NAMES, NAMED),
  ...combined(OF_PERIODS, TIMED),
  ...layered(false),
  ...layered(true),
  ...UGLY_KINDS,
];
