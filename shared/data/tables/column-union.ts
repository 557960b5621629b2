import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { decimalDigits } from '../duckdb/column-types.ts';
import type { DatasetColumn } from './data-file.ts';
import { changeText, type OnSchemaChange, type SchemaChange } from './schema-change.ts';

export interface ColumnUnion {
  /** The columns after the load, those of the dataset first. */
  columns: DatasetColumn[];
  /** Columns of the dataset whose stored values are converted to another type. */
  widened: string[];
  /** Columns of the loaded rows that are converted to another type, or renamed to the dataset's spelling. */
  converted: string[];
  /** Those of `converted` whose new type cannot hold every value of the old one. */
  narrowed: string[];
  /** Those of `converted` without any value. */
  valueless: string[];
  changes: SchemaChange[];
}

/**
 * How a dataset adapts to new columns. `as_text` is `evolve` that always finds a common type: text if no other type
 * holds all values exactly.
 */
export type Evolution = OnSchemaChange | 'as_text';

/**
 * The columns of a dataset after rows with `incoming` columns are added. Columns that one side lacks are null there.
 * `evolve` adds new columns and unites two types in one that holds the values of both; `ignore` keeps the columns as
 * they are; `fail` keeps them and rejects rows of which something would be left out. Names must differ by more than
 * case. Throws SCHEMA_MISMATCH with all conflicting columns.
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
    } else if (!unite(union, column, other, onChange)) {
      issues.push(
        `The column ${column.name} is ${column.type} in the dataset and ${other.type} in the rows, and no type holds both.`,
      );
    }
  }
  const known = new Set(current.map(({ name }) => folded(name)));
  // A dataset without columns takes those of its first rows, which does not count as a change.
  const isFirst = current.length === 0;
  for (const column of incoming.filter((each) => !known.has(folded(each.name)))) {
    const isTaken = isFirst || evolves(onChange);
    if (isTaken) union.columns.push(column);
    if (isFirst) continue;
    union.changes.push({ column: column.name, change: isTaken ? 'added' : 'left_out', from: null, to: column.type });
  }
  if (onChange === 'fail') issues.push(...union.changes.map(rejectionText));
  if (issues.length > 0) throw DataError.ofIssues(issues.map((message) => ({ code: 'SCHEMA_MISMATCH', message })));
  return union;
}

/** Unites two columns with the same name; returns false if they have no common type. */
function unite(union: ColumnUnion, column: DatasetColumn, other: DatasetColumn, onChange: Evolution): boolean {
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
 * The columns after a load. A load that `replaces` all rows also sets the columns, unless they must stay. `valueless`
 * columns have already been given the existing type.
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

/** The changes from replacing columns: dropped, added and retyped ones. */
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

const rejectionText = (change: SchemaChange) =>
  change.change === 'missing'
    ? `The rows have no column ${change.column} (${change.from}).`
    : changeText(change.change === 'left_out' ? { ...change, change: 'added' } : change);

/** The narrowest type that holds every value of both; undefined if there is none. */
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
  // The conversion itself checks whether each value is preserved.
  if (pair === 'double integer') return 'double';
  return undefined;
}

/** Digits before and after the decimal point; an integer has up to 19 before it. */
function decimalOf(type: string): { whole: number; scale: number } | undefined {
  if (type === 'integer') return { whole: 19, scale: 0 };
  const digits = decimalDigits(type);
  return digits && { whole: digits.precision - digits.scale, scale: digits.scale };
}
