import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import {
  type Diagnostic,
  type Dialect,
  type EmitOptions,
  emit,
  type SqlColumn,
  type SqlParameter,
  type Typed,
} from '../expressions/index.ts';
import type { TimeGrain } from './question.ts';
import { column, unitCall } from './trees.ts';

/** How the tables and columns of a model are read. */
export interface Source {
  /** What stands in a FROM clause for the table: a name, or a query in parentheses. */
  relation(tableId: string): string;
  /** The column of a field that has one of its own. */
  column(fieldId: string): Omit<SqlColumn, 'table'>;
}

export type WriterOptions = Pick<EmitOptions, 'timezone' | 'now' | 'principal'> & { dialect: Dialect };

/** The dialect has no way to write an expression of the question. */
export class NotWritable extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Writes the expressions of one statement, which have their parameters in common. */
export class Writer {
  readonly params: SqlParameter[] = [];
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Throws `NotWritable`. */
  sql(tree: Typed, columnOf: (fieldId: string) => SqlColumn, replaced?: ReadonlyMap<Typed, SqlColumn>): string {
    const emission = emit(tree, {
      ...this.#options,
      columnOf: ({ field }) => columnOf(field),
      params: this.params,
      ...(replaced ? { replaced } : {}),
    });
    if (emission.kind === 'rejected') throw new NotWritable(emission.diagnostic);
    if (emission.kind === 'needsPlan') throw new TypeError('the question is not resolved');
    return emission.sql;
  }

  /** The beginning of the period that a date of the statement is in. */
  beginning(name: string, grain: string): string {
    return this.sql(unitCall('DATE_TRUNC', grain, 'date', [column(name, 'date')]), (field) => ({ column: field }));
  }

  /** A query of one column, `period`: every period from the first to the last. */
  periods(first: string, last: string, grain: TimeGrain): string {
    const { dialect, timezone = 'UTC' } = this.#options;
    const step = `INTERVAL '${grain === 'quarter' ? '3 month' : `1 ${grain}`}'`;
    const isClock = grain === 'hour' || grain === 'minute' || grain === 'second';
    const zone = quoteLiteral(timezone);
    const wall = (sql: string) => (isClock ? `(${sql} AT TIME ZONE ${zone})` : `CAST(${sql} AS timestamp)`);
    const value = isClock ? `step AT TIME ZONE ${zone}` : 'CAST(step AS date)';
    const series = `generate_series(${wall(first)}, ${wall(last)}, ${step})`;
    const steps = dialect === 'duckdb' ? `(SELECT unnest(${series}) AS step) AS steps` : `${series} AS steps(step)`;
    return `SELECT ${value} AS period FROM ${steps}`;
  }
}

export function columnSql({ table, column: name }: SqlColumn): string {
  return table === undefined ? quoteIdentifier(name) : `${quoteIdentifier(table)}.${quoteIdentifier(name)}`;
}
