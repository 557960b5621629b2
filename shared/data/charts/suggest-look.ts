import { type ChartColumn, type ChartData, kindOf, numberValue } from './chart-columns.ts';
import type { ChartLook, Encoding } from './chart-look.ts';
import { geographyOf } from './maps/geography-of.ts';

/** More bars, lines or cells than these cannot be read at a glance. */
const MAX_BARS = 30;
const MAX_SERIES = 8;
const MAX_CELLS_A_SIDE = 50;
const MIN_SCATTERED = 5;
const MAX_PARTS = 6;
/** Longer names do not fit beside each other below vertical bars. */
const LONG_NAME = 12;
const MANY_BARS = 12;
const IDENTIFIER = /(^|[_\s-])(id|key|code|zip|postcode)$|[a-z]Id$/i;
const YEAR = /^(year|jahr|année|año)$/i;

export interface SuggestedLook extends Pick<ChartLook, 'mark' | 'encoding' | 'layer' | 'config'> {
  cardType: 'chart' | 'kpi' | 'map' | 'table';
}

/** A chart for rows, and why it suits them. */
export interface Suggestion {
  look: SuggestedLook;
  reason: string;
}

interface Described {
  column: ChartColumn;
  values: ReadonlySet<string>;
  distinct: number;
  longest: number;
}

/** What rules choose by. */
interface Shape {
  times: readonly Described[];
  names: readonly Described[];
  numbers: readonly Described[];
  columns: readonly ChartColumn[];
  rows: ChartData['rows'];
}

const TABLE: Suggestion = {
  look: { cardType: 'table', mark: { type: 'table' } },
  reason: 'A table shows every row as it is.',
};

/** The best chart for the rows, as an analyst would choose it. */
export const suggestLook = (data: ChartData): SuggestedLook => suggestLooks(data)[0]!.look;

const MAX_SUGGESTIONS = 3;

/**
 * One to three charts that suit the rows, best first. Rows whose marks would overlap, and rows that are too many to
 * compare, only have a table, which is always correct.
 */
export function suggestLooks({ columns, rows }: ChartData): Suggestion[] {
  const described = columns.map((column, index) => describe(column, rows, index));
  const numbers = described.filter(({ column }) => isAmount(column));
  const times = described.filter(({ column }) => kindOf(column) === 'time' || isYear(column));
  const names = described.filter((each) => !numbers.includes(each) && !times.includes(each));
  if (rows.length === 0 || !isUnique([...times, ...names], columns, rows)) return [TABLE];
  const shape: Shape = { times, names, numbers, columns, rows };
  return [...RULES.flatMap((suggest) => suggest(shape) ?? []), TABLE].slice(0, MAX_SUGGESTIONS);
}

/** In the order of preference. Rules that come later have other charts for the same rows. */
const RULES: readonly ((shape: Shape) => Suggestion | undefined)[] = [
  ({ numbers, columns, rows }) =>
    because('A single value is read best as a number.', singleNumber(numbers, columns, rows)),
  ({ times, names, numbers }) => because('Lines show how numbers change over time.', trend(times, names, numbers)),
  ({ times, names, numbers }) => because('A map shows where values are high and low.', map(times, names, numbers)),
  ({ times, names, numbers }) => comparisonWithReason(comparison(times, names, numbers)),
  ({ times, names, numbers, rows }) =>
    because('Points show whether two numbers are related.', relation([...times, ...names], numbers, rows)),
  ({ times, names, numbers }) => because('Bars compare individual periods.', periods(times, names, numbers)),
  (shape) => because('A pie shows how a few parts make up a whole.', parts(shape)),
];

const comparisonWithReason = (look: SuggestedLook | undefined) =>
  look?.mark?.type === 'rect'
    ? because('Colors show many combinations of two groups at a glance.', look)
    : because('The lengths of bars are easy to compare.', look);

const because = (reason: string, look: SuggestedLook | undefined): Suggestion | undefined => look && { look, reason };

/** Whether the column is a number to compare. Numbers that only identify things are not. */
const isAmount = (column: ChartColumn): boolean =>
  kindOf(column) === 'number' && column.binWidth === undefined && !IDENTIFIER.test(column.name) && !isYear(column);

const isYear = ({ name, type }: ChartColumn): boolean => YEAR.test(name) && /^(integer|bigint|number)/.test(type);

function describe(column: ChartColumn, rows: ChartData['rows'], index: number): Described {
  const values = new Set(rows.map((row) => String(row[index])));
  return { column, values, distinct: values.size, longest: Math.max(0, ...[...values].map((value) => value.length)) };
}

/** Whether each combination of groups has one row: other rows would be drawn on top of each other. */
function isUnique(groups: readonly Described[], columns: readonly ChartColumn[], rows: ChartData['rows']): boolean {
  if (groups.length === 0) return true;
  const at = groups.map(({ column }) => columns.indexOf(column));
  return new Set(rows.map((row) => JSON.stringify(at.map((index) => row[index])))).size === rows.length;
}

function singleNumber(
  numbers: readonly Described[],
  columns: readonly ChartColumn[],
  rows: ChartData['rows'],
): SuggestedLook | undefined {
  const [number] = numbers;
  if (rows.length !== 1 || numbers.length !== 1 || columns.length > 2) return undefined;
  return { cardType: 'kpi', mark: { type: 'kpi' }, encoding: { text: { field: number!.column.name } } };
}

/** Lines over time: one, one for each name, or two of different sizes with an axis each. */
function trend(
  times: readonly Described[],
  names: readonly Described[],
  numbers: readonly Described[],
): SuggestedLook | undefined {
  const [time] = times;
  const [first, second] = numbers;
  if (!time || !first || times.length > 1 || time.distinct < 2) return undefined;
  const x = { field: time.column.name, ...(isYear(time.column) && { type: 'ordinal' as const }) };
  const line = (y: Described): { mark: { type: 'line' }; encoding: Encoding } => ({
    mark: { type: 'line' },
    encoding: { x, y: { field: y.column.name } },
  });
  if (names.length === 0 && numbers.length === 1) return { cardType: 'chart', ...line(first) };
  if (names.length === 0 && numbers.length === 2) {
    return { cardType: 'chart', mark: { type: 'line' }, layer: [line(first), withColor(line(second!))], ...TWO_AXES };
  }
  const [name] = names;
  if (names.length > 1 || numbers.length > 1 || name!.distinct > MAX_SERIES) return undefined;
  const { mark, encoding } = line(first);
  return { cardType: 'chart', mark, encoding: { ...encoding, color: asName(name!) } };
}

const TWO_AXES = { config: { independentY: true } };
const withColor = ({ encoding }: { encoding: Encoding }) => ({
  mark: { type: 'line' as const, color: '#efb118' },
  encoding,
});

/** Numbers that name things are not measured. */
const asName = ({ column }: Described): { field: string; type?: 'nominal' } => ({
  field: column.name,
  ...(kindOf(column) === 'number' && column.binWidth === undefined && { type: 'nominal' }),
});

/** A map for a number of each country or state. */
function map(
  times: readonly Described[],
  names: readonly Described[],
  numbers: readonly Described[],
): SuggestedLook | undefined {
  const [[name], [number]] = [names, numbers];
  if (!name || !number || times.length > 0 || names.length > 1 || numbers.length > 1) return undefined;
  const geography = geographyOf(name.column.name, [...name.values]);
  if (!geography) return undefined;
  const encoding = { shape: { field: name.column.name }, color: { field: number.column.name } };
  return { cardType: 'map', mark: { type: 'geoshape', geography }, encoding };
}

/** Bars for one name, the longest first; stacked bars or a heat map for two. */
function comparison(
  times: readonly Described[],
  names: readonly Described[],
  numbers: readonly Described[],
): SuggestedLook | undefined {
  const [number] = numbers;
  if (numbers.length !== 1 || times.length > 0 || names.length === 0 || names.length > 2) return undefined;
  const [outer, inner] = [...names].sort((a, b) => b.distinct - a.distinct) as [Described, Described | undefined];
  const value = { field: number!.column.name };
  if (inner && (inner.distinct > MAX_SERIES || outer.distinct > MAX_BARS)) {
    if (outer.distinct > MAX_CELLS_A_SIDE) return undefined;
    const encoding = { x: asName(inner), y: asName(outer), color: value };
    return { cardType: 'chart', mark: { type: 'rect' }, encoding };
  }
  if (outer.distinct > MAX_BARS) return undefined;
  const color = inner && { color: asName(inner) };
  const isOrdered = outer.column.binWidth !== undefined;
  const name = (axis: 'x' | 'y') => ({
    ...asName(outer),
    ...(!isOrdered && { sort: axis === 'x' ? ('-y' as const) : ('-x' as const) }),
  });
  const isHorizontal = !isOrdered && (outer.longest > LONG_NAME || outer.distinct > MANY_BARS);
  const encoding: Encoding = isHorizontal ? { x: value, y: name('y'), ...color } : { x: name('x'), y: value, ...color };
  return { cardType: 'chart', mark: { type: 'bar' }, encoding };
}

/** Points for two numbers, which their names explain. */
function relation(
  groups: readonly Described[],
  numbers: readonly Described[],
  rows: ChartData['rows'],
): SuggestedLook | undefined {
  const [x, y, ...others] = numbers;
  if (!x || !y || others.length > 0 || groups.length > 1 || rows.length < MIN_SCATTERED) return undefined;
  const shown = [...groups, x, y].map(({ column }) => ({ field: column.name }));
  const encoding = { x: { field: x.column.name }, y: { field: y.column.name }, tooltip: shown };
  return { cardType: 'chart', mark: { type: 'point' }, encoding };
}

/** Bars for a few periods of one number. */
function periods(
  times: readonly Described[],
  names: readonly Described[],
  numbers: readonly Described[],
): SuggestedLook | undefined {
  const [[time], [number]] = [times, numbers];
  if (!time || !number || times.length > 1 || names.length > 0 || numbers.length > 1) return undefined;
  if (time.distinct < 2 || time.distinct > MAX_BARS) return undefined;
  const x = { field: time.column.name, ...(isYear(time.column) && { type: 'ordinal' as const }) };
  return { cardType: 'chart', mark: { type: 'bar' }, encoding: { x, y: { field: number.column.name } } };
}

/** Only amounts that add up to a whole have parts: all of them known, and none below zero. */
function parts({ times, names, numbers, columns, rows }: Shape): SuggestedLook | undefined {
  const [[name], [number]] = [names, numbers];
  if (!name || !number || times.length > 0 || names.length > 1 || numbers.length > 1) return undefined;
  if (name.distinct < 2 || name.distinct > MAX_PARTS) return undefined;
  const at = columns.indexOf(number.column);
  if (!rows.every((row) => (numberValue(row[at]) ?? -1) >= 0)) return undefined;
  const encoding = { theta: { field: number.column.name }, color: asName(name) };
  return { cardType: 'chart', mark: { type: 'arc' }, encoding };
}
