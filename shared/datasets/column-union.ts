import { EngineError } from '../engine/engine-error.ts';
import type { DatasetColumn } from './record.ts';

export interface ColumnUnion {
  /** The columns of both, those of the dataset in front. */
  columns: DatasetColumn[];
  /** Columns of the dataset whose stored values take another type by it. */
  widened: string[];
  /** Columns of the rows to load that take another type by it. */
  converted: string[];
}

/**
 * The columns that a dataset has after rows with `incoming` columns are added. What one side lacks is null there; two types
 * become one that holds the values of both. Throws SCHEMA_MISMATCH with every column for which there is none.
 */
export function unionColumns(current: readonly DatasetColumn[], incoming: readonly DatasetColumn[]): ColumnUnion {
  const types = new Map(current.map(({ name, type }) => [name, type]));
  const added = new Map(incoming.map(({ name, type }) => [name, type]));
  const faults: { name: string; from: string; to: string }[] = [];
  const union: ColumnUnion = { columns: [], widened: [], converted: [] };
  for (const { name, type } of current) {
    const other = added.get(name) ?? type;
    const common = commonType(type, other);
    if (common === undefined) faults.push({ name, from: type, to: other });
    else {
      union.columns.push({ name, type: common });
      if (common !== type) union.widened.push(name);
      if (common !== other) union.converted.push(name);
    }
  }
  if (faults.length > 0) {
    throw EngineError.ofFaults(
      faults.map(({ name, from, to }) => ({
        code: 'SCHEMA_MISMATCH',
        message: `The column ${name} is ${from} in the dataset and ${to} in the rows to load.`,
      })),
    );
  }
  union.columns.push(...incoming.filter(({ name }) => !types.has(name)));
  return union;
}

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
  const match = /^decimal\((\d+),(\d+)\)$/.exec(type);
  return match ? { whole: Number(match[1]) - Number(match[2]), scale: Number(match[2]) } : undefined;
}
