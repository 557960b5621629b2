import type { Engine } from '../duckdb/engine.ts';
import { ask } from './ask.ts';
import type { ProfiledColumn } from './column-kinds.ts';
import { MAX_VALUE_LENGTH, type Value } from './profile.ts';

/** Figures of all rows, exact for every size of table. */
export interface Counters {
  /** Rows with a value. */
  values: number;
  nonFinite: number;
  min: Value | null;
  max: Value | null;
  mean: number | null;
  stddev: number | null;
  zeros: number | null;
  negatives: number | null;
  blanks: number | null;
  minLength: number | null;
  maxLength: number | null;
}

/** Bounds the length of one statement. */
const COLUMNS_AT_ONCE = 50;
/** The square of larger numbers is beyond a double. */
const MAX_SQUARED = 1e150;
const WHITE_SPACE = String.raw`E' \t\r\n'`;

/** Counts the rows and, in one pass over all of them, the figures of each column. */
export async function readCounters(
  engine: Engine,
  relation: string,
  columns: readonly ProfiledColumn[],
): Promise<{ rowCount: number; counters: Counters[] }> {
  const counters: Counters[] = [];
  let rowCount = 0;
  for (let from = 0; from === 0 || from < columns.length; from += COLUMNS_AT_ONCE) {
    const chosen = columns.slice(from, from + COLUMNS_AT_ONCE);
    const parts = chosen.map(figuresOf);
    const [row = []] = await ask(engine, `SELECT ${['count(*)', ...parts.flat()].join(', ')} FROM ${relation}`);
    rowCount = Number(row[0]);
    for (const [index, part] of parts.entries()) {
      const start = 1 + parts.slice(0, index).reduce((sum, { length }) => sum + length, 0);
      counters.push(readFigures(chosen[index]!, row.slice(start, start + part.length)));
    }
  }
  return { rowCount, counters };
}

function figuresOf(column: ProfiledColumn): string[] {
  const { sql, kind, finite } = column;
  const where = finite ? ` FILTER (WHERE ${finite})` : '';
  const base = [`count(${sql})`, finite ? `count(*) FILTER (WHERE NOT ${finite})` : '0'];
  switch (kind) {
    case 'number': {
      const summable = finite ? ` FILTER (WHERE ${finite} AND abs(${sql}) < ${MAX_SQUARED})` : '';
      return [
        ...base,
        `min(${sql})${where}`,
        `max(${sql})${where}`,
        `avg(${sql}::DOUBLE)${summable}`,
        `stddev_samp(${sql}::DOUBLE)${summable}`,
        `count(*) FILTER (WHERE ${sql} = 0)`,
        `count(*) FILTER (WHERE ${sql} < 0${finite ? ` AND ${finite}` : ''})`,
      ];
    }
    case 'text':
      return [
        ...base,
        `left(min(${sql}), ${MAX_VALUE_LENGTH})`,
        `left(max(${sql}), ${MAX_VALUE_LENGTH})`,
        `count(*) FILTER (WHERE trim(${sql}, ${WHITE_SPACE}) = '')`,
        `min(length(${sql}))`,
        `max(length(${sql}))`,
      ];
    case 'date':
    case 'boolean':
      return [...base, `min(${sql})${where}`, `max(${sql})${where}`];
    case 'other':
      return base;
  }
}

function readFigures({ kind }: ProfiledColumn, row: readonly unknown[]): Counters {
  const [values, nonFinite, min = null, max = null, ...rest] = row as (Value | null)[];
  const count = (value: Value | null | undefined) => (value === null || value === undefined ? null : Number(value));
  const numbers = kind === 'number' ? rest : [];
  const texts = kind === 'text' ? rest : [];
  const isSummable = [min, max].every((bound) => Math.abs(Number(bound)) < MAX_SQUARED);
  return {
    values: Number(values),
    nonFinite: Number(nonFinite),
    min,
    max,
    mean: isSummable ? count(numbers[0]) : null,
    stddev: isSummable ? count(numbers[1]) : null,
    zeros: count(numbers[2]),
    negatives: count(numbers[3]),
    blanks: count(texts[0]),
    minLength: count(texts[1]),
    maxLength: count(texts[2]),
  };
}
