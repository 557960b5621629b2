import type { ChartColumn, ChartData } from '../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../shared/data/charts/chart-look.ts';

/** Rows that no designer had in mind: what a reader meets on the first day with data of their own. */

export const dimension = (name: string, type = 'string', more: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  role: 'dimension',
  type,
  ...more,
});
export const measure = (name: string, more: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  role: 'measure',
  type: 'decimal',
  ...more,
});

export const name = dimension('Name');
export const kind = dimension('Kind');
export const month = dimension('Month', 'date', { grain: 'month' });
export const amount = measure('Amount');

/** Numbers that look random and are always the same. */
export const noise = (index: number): number => Math.abs(Math.sin(index * 12.9898 + 4.1) * 43_758.5453) % 1;
export const monthAt = (index: number): string =>
  `${2019 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
export const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => each(at));

export const LONG = [
  'International Business Machines Corporation of Armonk',
  'Rindfleischetikettierungsüberwachungsaufgabenübertragung',
  'Department of Water Supply, Gas and Electricity',
  'A',
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
  'Customers without a known address',
];
export const ARABIC = ['المملكة العربية السعودية', 'الإمارات العربية المتحدة', 'مصر', 'ישראל', 'المغرب'];
export const CJK = [
  '東京都千代田区丸の内',
  '大阪府大阪市北区梅田',
  '上海市浦东新区陆家嘴',
  '서울특별시 강남구',
  '부산광역시',
];

export interface UglyChart {
  name: string;
  look: ChartLook;
  data: ChartData;
}

export interface UglyRows {
  columns: readonly ChartColumn[];
  rows: readonly (readonly unknown[])[];
}

const named = (names: readonly string[], value: (index: number) => unknown, column = amount): UglyRows => ({
  columns: [name, column],
  rows: names.map((each, index) => [each, value(index)]),
});
export const some = (index: number): number => Math.round(20 + noise(index) * 900);

/** Names with a number. */
export const NAMED: Readonly<Record<string, UglyRows>> = {
  'one point': named(['Only'], () => 42),
  '13 names': named(
    many(13, (index) => `Category ${index + 1}`),
    some,
  ),
  '40 names': named(
    many(40, (index) => `Product ${String.fromCharCode(65 + (index % 26))}${index}`),
    some,
  ),
  '200 names': named(
    many(200, (index) => `SKU-${1000 + index}`),
    some,
  ),
  'long names': named(LONG, some),
  'right to left': named(ARABIC, some),
  'Chinese, Japanese, Korean': named(CJK, some),
  negative: named(['North', 'South', 'East', 'West', 'Centre'], (index) => [120, -340, 80, -15, 260][index]),
  'empty values': named(['North', 'South', 'East', 'West'], (index) => [120, null, 80, null][index]),
  huge: named(['North', 'South', 'East', 'West'], (index) => 25_000_000_000 * (index + 1)),
  money: named(['North', 'South', 'East', 'West'], (index) => 4_250_000 * (index + 1), {
    ...amount,
    format: { kind: 'currency', currency: 'EUR' },
  }),
  tiny: named(['North', 'South', 'East', 'West'], (index) => 0.000_000_12 * (index + 1)),
  'one giant': named(['North', 'South', 'East', 'West'], (index) => [9_500_000, 12, 30, 4][index]),
  zeros: named(['North', 'South', 'East'], () => 0),
};

const series = (count: number, periods: number, names: (index: number) => string): UglyRows => ({
  columns: [month, kind, amount],
  rows: many(periods, (at) =>
    many(count, (index) => [monthAt(at), names(index), Math.round(100 + 40 * index + 90 * noise(at * 31 + index * 7))]),
  ).flat(),
});

/** Periods with a number, for one or several names. */
export const TIMED: Readonly<Record<string, UglyRows>> = {
  'one period': { columns: [month, kind, amount], rows: [[monthAt(0), 'North', 42]] },
  'missing periods': {
    columns: [month, kind, amount],
    rows: many(18, (at) => [monthAt(at), 'North', Math.round(80 + 60 * noise(at))]).filter(
      (_, at) => ![4, 5, 11].includes(at),
    ),
  },
  '3 series': series(3, 24, (index) => ['North', 'South', 'East'][index]!),
  '5 long series': series(5, 12, (index) => LONG[index]!),
  '14 series': series(14, 12, (index) => `Region ${index + 1}`),
  '60 series': series(60, 6, (index) => `Customer ${index + 1}`),
  '84 months': series(1, 84, () => 'North'),
  'below zero': {
    columns: [month, kind, amount],
    rows: many(12, (at) => [monthAt(at), 'North', Math.round(-400 + 800 * noise(at))]),
  },
  '400 days': {
    columns: [dimension('Month', 'date', { grain: 'day' }), kind, amount],
    rows: many(400, (at) => [
      new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
      'North',
      Math.round(1_000_000 * (1 + noise(at))),
    ]),
  },
  '10 days': {
    columns: [dimension('Month', 'date', { grain: 'day' }), kind, amount],
    rows: many(10, (at) => [`2025-03-${String(at + 1).padStart(2, '0')}`, 'North', Math.round(90 * noise(at))]),
  },
  '36 hours': {
    columns: [dimension('Month', 'datetime', { grain: 'hour' }), kind, amount],
    rows: many(36, (at) => [
      new Date(Date.UTC(2025, 2, 1, at)).toISOString().slice(0, 19),
      'North',
      Math.round(90 * noise(at)),
    ]),
  },
  '30 years': {
    columns: [dimension('Month', 'date', { grain: 'year' }), kind, amount],
    rows: many(30, (at) => [`${1995 + at}-01-01`, 'North', Math.round(90 * noise(at))]),
  },
};
