import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { decimalDigits } from '../duckdb/column-types.ts';
import type { DatasetColumn } from './data-file.ts';
import { changeText, type OnSchemaChange, type SchemaChange } from './schema-change.ts';

export interface ColumnUnion {
  /** The columns that are there afterwards, those of the dataset in front. */
  columns: DatasetColumn[];
  /** Columns of the dataset whose stored values take another type by it. */
  widened: string[];
  /** Columns of the rows to load that take another type, or the dataset's spelling of their name, by it. */
  converted: string[];
  /** Those of `converted` whose new type does not hold every value of the old one. */
  narrowed: string[];
  /** Those of `converted` that have no value at all. */
  valueless: string[];
  changes: SchemaChange[];
}

/** How a dataset goes along; `as_text` is `evolve` that always finds a type, which for what no other holds exactly is text. */
export type Evolution = OnSchemaChange | 'as_text';

/**
 * The columns that a dataset has after rows with `incoming` columns are added. What one side lacks is null there. By
 * `evolve` new columns join and two types become one that holds the values of both; by `ignore` the columns stay as they
 * are; by `fail` they must stay so without anything being left out. Names differ by more than case. Throws SCHEMA_MISMATCH
 * with every column that stands in the way.
 */
export function unionColumns(
  current: readonly DatasetColumn[],
  incoming: readonly DatasetColumn[],
  onChange: Evolution = 'evolve',
): ColumnUnion {
  const union: ColumnUnion = { columns: [], widened: [], converted: [], narrowed: [], valueless: [], changes: [] };
  const added = new Map(incoming.map((column) => [folded(column.name), column]));
  const issues: string[] = [];
  for (const column of current) {
    const other = added.get(folded(column.name));
    if (!other) {
      union.columns.push(column);
      union.changes.push({ column: column.name, change: 'missing', from: column.type, to: null });
    } else if (!meet(union, column, other, onChange)) {
      issues.push(`The column ${column.name} is ${column.type}, in the rows ${other.type}, and no type holds both.`);
    }
  }
  const known = new Set(current.map(({ name }) => folded(name)));
  // What has no columns yet takes those of its first rows, which is no change.
  const isFirst = current.length === 0;
  for (const column of incoming.filter((each) => !known.has(folded(each.name)))) {
    const isTaken = isFirst || evolves(onChange);
    if (isTaken) union.columns.push(column);
    if (isFirst) continue;
    union.changes.push({ column: column.name, change: isTaken ? 'added' : 'left_out', from: null, to: column.type });
  }
  if (onChange === 'fail') issues.push(...union.changes.map(refusalText));
  if (issues.length > 0) throw DataError.ofIssues(issues.map((message) => ({ code: 'SCHEMA_MISMATCH', message })));
  return union;
}

/** Two columns of one name become one; false when there is no type for it. */
function meet(union: ColumnUnion, column: DatasetColumn, other: DatasetColumn, onChange: Evolution): boolean {
  const { name, type } = column;
  const common = onChange === 'as_text' ? textOrCommonType(type, other.type) : commonType(type, other.type);
  if (common === undefined) return false;
  const widens = common !== type;
  const kept = evolves(onChange) ? common : type;
  union.columns.push({ name, type: kept });
  if (kept !== type) union.widened.push(name);
  if (kept !== other.type || name !== other.name) union.converted.push(name);
  if (widens && kept === type) union.narrowed.push(name);
  if (widens && onChange !== 'ignore') union.changes.push({ column: name, change: 'retyped', from: type, to: common });
  return true;
}

/**
 * The columns after a load; one that `replaces` all rows takes, unless they are to stay, those of its rows. `valueless` columns
 * have been given the type that is there.
 */
export function columnsAfter(
  current: readonly DatasetColumn[],
  incoming: readonly DatasetColumn[],
  how: { onSchemaChange?: Evolution; replaces: boolean; valueless?: readonly string[] },
): ColumnUnion {
  const { onSchemaChange = 'evolve', replaces, valueless = [] } = how;
  const union =
    replaces && onSchemaChange === 'evolve'
      ? { ...unionColumns([], incoming), changes: replacedColumns(current, incoming) }
      : unionColumns(current, incoming, onSchemaChange);
  return { ...union, converted: [...new Set([...union.converted, ...valueless])], valueless: [...valueless] };
}

/** What takes the place of other columns: those that go, come, or are of another type by it. */
export function replacedColumns(current: readonly DatasetColumn[], next: readonly DatasetColumn[]): SchemaChange[] {
  if (current.length === 0) return [];
  const after = new Map(next.map((column) => [folded(column.name), column]));
  const before = new Set(current.map(({ name }) => folded(name)));
  const stayed = current.flatMap((column): SchemaChange[] => {
    const other = after.get(folded(column.name));
    if (!other) return [{ column: column.name, change: 'dropped', from: column.type, to: null }];
    if (other.type === column.type) return [];
    return [{ column: column.name, change: 'retyped', from: column.type, to: other.type }];
  });
  const came = next.filter((column) => !before.has(folded(column.name)));
  return [
    ...stayed,
    ...came.map(({ name, type }) => ({ column: name, change: 'added' as const, from: null, to: type })),
  ];
}

const evolves = (onChange: Evolution) => onChange === 'evolve' || onChange === 'as_text';

function textOrCommonType(one: string, other: string): string {
  if (one === other) return one;
  const common = commonType(one, other);
  return common === undefined || common === 'double' ? 'string' : common;
}

const refusalText = (change: SchemaChange) =>
  change.change === 'missing'
    ? `The rows have no column ${change.column} (${change.from}).`
    : changeText(change.change === 'left_out' ? { ...change, change: 'added' } : change);

/** The narrowest type that holds every value of both, undefined when there is none. */
export function commonType(one: string, other: string): string | undefined {
  if (one === other) return one;
  const decimals = [decimalOf(one), decimalOf(other)] as const;
  if (decimals[0] && decimals[1]) {
    const whole = Math.max(decimals[0].whole, decimals[1].whole);
    const scale = Math.max(decimals[0].scale, decimals[1].scale);
    return whole + scale <= 38 ? `decimal(${whole + scale},${scale})` : undefined;
  }
  const pair = [one, other].sort().join(' ');
  if (pair === 'date timestamp') return 'timestamp';
  if (pair === 'json string') return 'string';
  // Whether each value survives is looked at when it is converted.
  if (pair === 'double integer') return 'double';
  return undefined;
}

/** Digits before and after the point; an integer has up to 19 of the first. */
function decimalOf(type: string): { whole: number; scale: number } | undefined {
  if (type === 'integer') return { whole: 19, scale: 0 };
  const digits = decimalDigits(type);
  return digits && { whole: digits.precision - digits.scale, scale: digits.scale };
}
