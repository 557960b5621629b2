import type { ChartColumn, ChartData } from '../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../shared/data/charts/chart-look.ts';
import { daily, parts, places, products, steps, visits } from './gallery-rows.ts';

export interface Example {
  name: string;
  look: ChartLook;
  data: ChartData;
}

const column = (name: string, type = 'string', more: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  role: type === 'decimal' ? 'measure' : 'dimension',
  type,
  ...more,
});
const at = (field: string) => ({ field });

/** The kinds of charts with channels of their own. */
export const KIND_EXAMPLES: readonly Example[] = [
  {
    name: 'funnel',
    look: { mark: { type: 'funnel' }, encoding: { y: at('Step'), x: at('People') } },
    data: { columns: [column('Step'), column('People', 'decimal')], rows: steps },
  },
  {
    name: 'waterfall',
    look: {
      mark: { type: 'waterfall', total: 'Profit' },
      encoding: { x: { field: 'Part', title: null }, y: { field: 'Amount', title: null } },
    },
    data: { columns: [column('Part'), column('Amount', 'decimal')], rows: parts },
  },
  {
    name: 'treemap',
    look: { mark: { type: 'treemap' }, encoding: { text: at('Product'), size: at('Revenue'), color: at('Kind') } },
    data: { columns: [column('Kind'), column('Product'), column('Revenue', 'decimal')], rows: products },
  },
  {
    name: 'gauge',
    look: { mark: { type: 'gauge', target: 90, range: [0, 100] }, encoding: { text: at('Occupancy') } },
    data: { columns: [column('Occupancy', 'decimal')], rows: [[76]] },
  },
  {
    name: 'gauge-bands',
    look: {
      mark: {
        type: 'gauge',
        range: [0, 100],
        bands: [
          { to: 50, color: '#b93322' },
          { to: 80, color: '#efb118' },
          { to: 100, color: '#19794a' },
        ],
      },
      encoding: { text: at('Occupancy') },
    },
    data: { columns: [column('Occupancy', 'decimal')], rows: [[76]] },
  },
  {
    name: 'calendar',
    look: { mark: { type: 'calendar' }, encoding: { x: at('Day'), color: at('Orders') } },
    data: { columns: [column('Day', 'date', { grain: 'day' }), column('Orders', 'decimal')], rows: daily },
  },
  {
    name: 'sankey',
    look: { mark: { type: 'sankey' }, encoding: { from: at('From'), to: at('To'), size: at('Visits') } },
    data: { columns: [column('From'), column('To'), column('Visits', 'decimal')], rows: visits },
  },
  {
    name: 'geopoint',
    look: {
      mark: { type: 'geopoint' },
      encoding: {
        longitude: at('Longitude'),
        latitude: at('Latitude'),
        size: at('Revenue'),
        color: at('Kind'),
        text: at('City'),
      },
    },
    data: {
      columns: [
        column('City'),
        column('Kind'),
        column('Longitude', 'decimal', { role: 'dimension' }),
        column('Latitude', 'decimal', { role: 'dimension' }),
        column('Revenue', 'decimal'),
      ],
      rows: places,
    },
  },
];
