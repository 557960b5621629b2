import type { ChartLook } from '../../shared/data/charts/chart-look.ts';
import {
  ARABIC,
  CJK,
  dimension,
  LONG,
  many,
  measure,
  monthAt,
  NAMED,
  noise,
  TIMED,
  type UglyChart,
  type UglyRows,
} from './ugly-rows.ts';

/** The kinds of charts without axes, or with axes of their own, of rows that no designer had in mind. */

const at = (field: string) => ({ field });
const [name, amount, kind] = [at('Name'), at('Amount'), at('Kind')];

const OF_NAMES: Readonly<Record<string, ChartLook>> = {
  funnel: { mark: { type: 'funnel' }, encoding: { y: name, x: amount } },
  waterfall: { mark: { type: 'waterfall' }, encoding: { x: name, y: amount } },
  treemap: { mark: { type: 'treemap' }, encoding: { text: name, size: amount } },
  gauge: { mark: { type: 'gauge', target: 700 }, encoding: { text: amount } },
  'gauge with bands': {
    mark: {
      type: 'gauge',
      bands: [
        { to: 300, color: '#d64545' },
        { to: 700, color: '#efb118' },
        { to: 1000, color: '#19794a' },
      ],
    },
    encoding: { text: amount },
  },
};

const GROUPED: Readonly<Record<string, UglyRows>> = Object.fromEntries(
  [
    ['groups', ['North', 'South', 'East'], 24],
    ['long groups', LONG, 40],
    ['Korean and Arabic groups', [...CJK, ...ARABIC], 60],
    ['one giant group', ['All', 'None'], 180],
    ['900 tiles', ['A', 'B', 'C', 'D'], 900],
  ].map(([what, groups, count]) => [
    what as string,
    {
      columns: [dimension('Name'), dimension('Kind'), measure('Amount')],
      rows: many(count as number, (index) => [
        `Product ${index}`,
        (groups as string[])[Math.floor(noise(index) ** 2 * (groups as string[]).length)],
        Math.round(5000 * noise(index + 3) ** 4) + 1,
      ]),
    },
  ]),
);

const flow = (rows: readonly (readonly [string, string, unknown])[]): UglyRows => ({
  columns: [dimension('From'), dimension('To'), measure('Amount')],
  rows,
});

const FLOWS: Readonly<Record<string, UglyRows>> = {
  'one flow': flow([['Here', 'There', 5]]),
  'three layers': flow([
    ['Search', 'Home', 500],
    ['Ads', 'Home', 120],
    ['Ads', 'Product', 280],
    ['Mail', 'Product', 90],
    ['Home', 'Product', 310],
    ['Home', 'Left', 310],
    ['Product', 'Basket', 240],
    ['Product', 'Left', 440],
    ['Basket', 'Paid', 180],
    ['Basket', 'Left', 60],
  ]),
  'long names': flow(
    LONG.flatMap((from, one) => LONG.map((to, two) => [from, `${to} `, 1 + ((one * 7 + two * 3) % 9)] as const)),
  ),
  'Korean and Arabic': flow(
    CJK.flatMap((from, one) => ARABIC.map((to, two) => [from, to, 1 + ((one + two) % 5)] as const)),
  ),
  'many names': flow(
    many(400, (index) => [`Source ${index % 40}`, `Target ${(index * 7) % 60}`, 1 + noise(index) * 90] as const),
  ),
  'empty and tiny values': flow([
    ['A', 'C', null],
    ['A', 'D', 0.000_001],
    ['B', 'D', 9_000_000_000],
  ]),
};

const points = (rows: readonly (readonly unknown[])[]): UglyRows => ({
  columns: [
    dimension('Name'),
    dimension('Kind'),
    measure('Longitude', { role: 'dimension' }),
    measure('Latitude', { role: 'dimension' }),
    measure('Amount'),
  ],
  rows,
});

const CITIES: readonly (readonly [string, number, number])[] = [
  ['Berlin', 13.4, 52.5],
  ['München', 11.6, 48.1],
  ['Hamburg', 10, 53.6],
  ['Köln', 6.96, 50.9],
  ['Wien', 16.4, 48.2],
  ['Zürich', 8.5, 47.4],
];

const POINTS: Readonly<Record<string, UglyRows>> = {
  'one point': points([['Only', 'A', 13.4, 52.5, 42]]),
  'a region': points(
    CITIES.map(([city, x, y], index) => [city, index % 2 === 0 ? 'Store' : 'Depot', x, y, 20 + index * 60]),
  ),
  'the world': points(
    many(60, (index) => [
      LONG[index % 6],
      CJK[index % 5],
      340 * noise(index) - 170,
      130 * noise(index + 9) - 55,
      900 * noise(index + 5) ** 3,
    ]),
  ),
  'places beyond the earth': points([
    ['Nowhere', 'A', 500, 5, 1],
    ['Berlin', 'A', 13.4, 52.5, 2],
    ['Empty', 'B', null, null, 3],
    ['المغرب', 'B', -6.8, 34, -4],
  ]),
  '800 points': points(
    many(800, (index) => [`Shop ${index}`, `Brand ${index % 17}`, 5 + 9 * noise(index), 45 + 8 * noise(index + 1), 1]),
  ),
};

const OF_POINTS: Readonly<Record<string, ChartLook>> = {
  'map of points': {
    mark: { type: 'geopoint' },
    encoding: { longitude: at('Longitude'), latitude: at('Latitude'), size: amount, color: kind, text: name },
  },
  'map of colored points': {
    mark: { type: 'geopoint' },
    encoding: { longitude: at('Longitude'), latitude: at('Latitude'), color: amount },
  },
};

const DAYS = (count: number, value: (index: number) => unknown): UglyRows => ({
  columns: [dimension('Month', 'date', { grain: 'day' }), dimension('Kind'), measure('Amount')],
  rows: many(count, (index) => [new Date(Date.UTC(2023, 2, 4 + index)).toISOString().slice(0, 10), 'A', value(index)]),
});

const CALENDARS: Readonly<Record<string, UglyRows>> = {
  ...TIMED,
  'three years': DAYS(1000, (index) => Math.round(100 * noise(index))),
  'half a year with gaps': DAYS(180, (index) => (index % 9 === 0 ? null : Math.round(1_000_000 * noise(index)))),
  'profit and loss': DAYS(360, (index) => Math.round(200 * noise(index) - 90)),
  '20 years': DAYS(7300, (index) => noise(index)),
  'five weeks': DAYS(33, (index) => Math.round(100 * noise(index))),
};

const combined = (looks: Readonly<Record<string, ChartLook>>, rows: Readonly<Record<string, UglyRows>>): UglyChart[] =>
  Object.entries(looks).flatMap(([chart, look]) =>
    Object.entries(rows).map(([what, data]) => ({ name: `${chart}: ${what}`, look, data })),
  );

export const UGLY_KINDS: readonly UglyChart[] = [
  ...combined(OF_NAMES, NAMED),
  ...combined(
    {
      'waterfall of periods': {
        mark: { type: 'waterfall', direction: 'down_good' },
        encoding: { x: at('Month'), y: amount },
      },
    },
    {
      'one period': TIMED['one period']!,
      '84 months': TIMED['84 months']!,
      'below zero': TIMED['below zero']!,
      '14 months': {
        columns: [dimension('Month', 'date', { grain: 'month' }), measure('Amount')],
        rows: many(14, (index) => [monthAt(index), Math.round(900_000 * noise(index) - 400_000)]),
      },
    },
  ),
  ...combined(
    { 'treemap of groups': { mark: { type: 'treemap' }, encoding: { text: name, size: amount, color: kind } } },
    GROUPED,
  ),
  ...combined({ calendar: { mark: { type: 'calendar' }, encoding: { x: at('Month'), color: amount } } }, CALENDARS),
  ...combined(
    { sankey: { mark: { type: 'sankey' }, encoding: { from: at('From'), to: at('To'), size: amount } } },
    FLOWS,
  ),
  ...combined(OF_POINTS, POINTS),
];
