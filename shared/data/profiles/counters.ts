import { DataError } from '../../platform/errors/data-error.ts';
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
    const found = (await readFast(engine, relation, chosen)) ?? (await readCareful(engine, relation, chosen));
    counters.push(...found.counters);
    rowCount = found.rowCount;
  }
  return { rowCount, counters };
}

/** Takes every value for a finite one, which takes half the time. Undefined if that is wrong. */
async function readFast(engine: Engine, relation: string, columns: readonly ProfiledColumn[]) {
  const assumed = columns.map((column) => ({ ...column, finite: undefined }));
  try {
    const found = await readCareful(engine, relation, assumed);
    // The wire format has no infinities, and the engine sorts NaN above all numbers.
    const areFinite = columns.every(({ finite }, index) => {
      const { values, min, max } = found.counters[index]!;
      return !finite || values === 0 || (min !== null && max !== null);
    });
    return areFinite ? found : undefined;
  } catch (error) {
    // The engine fails at the deviation of numbers whose squares are beyond a double.
    if (error instanceof DataError && error.code === 'SQL_ERROR') return undefined;
    throw error;
  }
}

async function readCareful(engine: Engine, relation: string, columns: readonly ProfiledColumn[]) {
  const parts = columns.map(figuresOf);
  const [row = []] = await ask(engine, `SELECT ${['count(*)', ...parts.flat()].join(', ')} FROM ${relation}`);
  let at = 1;
  const counters = columns.map((column, index) => {
    const end = at + parts[index]!.length;
    const figures = readFigures(column, row.slice(at, end));
    at = end;
    return figures;
  });
  return { rowCount: Number(row[0]), counters };
}

/**
 * Empty texts and those that begin with white space sort before all others; trimming every text would take seven times
 * as long.
 */
const isBlank = (text: string) => `CASE WHEN ${text} < '!' THEN trim(${text}, ${WHITE_SPACE}) = '' ELSE false END`;

function figuresOf(column: ProfiledColumn): string[] {
  const { sql, kind, finite } = column;
  const where = finite ? ` FILTER (WHERE ${finite})` : '';
  const base = [`count(${sql})`, finite ? `count_if(NOT ${finite})` : '0'];
  switch (kind) {
    case 'number': {
      const summable = finite ? ` FILTER (WHERE ${finite} AND abs(${sql}) < ${MAX_SQUARED})` : '';
      return [
        ...base,
        `min(${sql})${where}`,
        `max(${sql})${where}`,
        `avg(${sql}::DOUBLE)${summable}`,
        `stddev_samp(${sql}::DOUBLE)${summable}`,
        `count_if(${sql} = 0)`,
        `count_if(${sql} < 0${finite ? ` AND ${finite}` : ''})`,
      ];
    }
    case 'text':
      return [
        ...base,
        `left(min(${sql}), ${MAX_VALUE_LENGTH})`,
        `left(max(${sql}), ${MAX_VALUE_LENGTH})`,
        `count_if(${isBlank(sql)})`,
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
