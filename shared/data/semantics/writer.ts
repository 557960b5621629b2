import { readFiscalUnit, type TimeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import { FISCAL_MONTHS } from '../../platform/schedule/fiscal-years.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import {
  call,
  column,
  type Diagnostic,
  type Dialect,
  type Emission,
  type EmitOptions,
  emit,
  emitOrder,
  type SqlColumn,
  type SqlParameter,
  type Typed,
  textConstant,
} from '../expressions/index.ts';

/** How the tables and columns of a model are read. */
export interface Source {
  /** What stands in a FROM clause for the table: a name, or a query in parentheses. */
  relation(tableId: string): string;
  /** The column of a field that has one of its own. */
  column(fieldId: string): Omit<SqlColumn, 'table'>;
  /**
   * Tables whose relation leaves out rows that the caller may not see. Rows of other tables that lead to hidden ones by
   * active relationships are hidden too.
   */
  restricted?: ReadonlySet<string>;
}

export type WriterOptions = Pick<EmitOptions, 'timezone' | 'now' | 'principal' | 'bindsTexts'> & {
  dialect: Dialect;
  /** The parameters that relations of the source share with the statement; those of the question are added. */
  params?: SqlParameter[];
};

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
  readonly params: SqlParameter[];
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.params = options.params ?? [];
  }

  /** Throws `NotWritable`. */
  sql(tree: Typed, columnOf: ColumnOf, replaced?: ReadonlyMap<Typed, SqlColumn>): string {
    return this.#written(emit(tree, this.#emitOptions(columnOf, replaced)));
  }

  /**
   * A term of ORDER BY for a column of the reply, by its number: a name could be that of a column and that of a
   * table's. Texts are ordered by code points, which in Postgres takes the expression itself. Throws `NotWritable`.
   */
  order({ tree, number, descending }: OrderTerm, columnOf: ColumnOf, replaced?: ReadonlyMap<Typed, SqlColumn>): string {
    const direction = descending ? 'desc' : 'asc';
    if (this.#options.dialect === 'duckdb' || tree.type !== 'string')
      return `${number} ${direction.toUpperCase()} NULLS LAST`;
    return this.#written(emitOrder(tree, direction, this.#emitOptions(columnOf, replaced)));
  }

  /** The beginning of the period that a time of the statement is in. */
  beginning(name: string, grain: string, type: Typed['type']): string {
    return this.sql(call('DATE_TRUNC', [textConstant(grain), column(name, type)], type), (field) => ({
      column: field,
    }));
  }

  /** A query of one column, `period`: every period from the first to the last; none if one of them is null. */
  periods(first: string, last: string, grain: TimeUnit): string {
    const isClock = grain === 'hour' || grain === 'minute' || grain === 'second';
    const type = isClock ? 'timestamptz' : 'timestamp';
    const step = `INTERVAL '${stepOf(grain)}'`;
    const series = `generate_series(CAST(${first} AS ${type}), CAST(${last} AS ${type}), ${step})`;
    const steps =
      this.#options.dialect === 'duckdb' ? `(SELECT unnest(${series}) AS step) AS steps` : `${series} AS steps(step)`;
    // Weeks lead to all periods of a year of weeks.
    if (readFiscalUnit(grain)?.weeks)
      return `SELECT DISTINCT ${this.beginning('step', grain, 'date')} AS period FROM ${steps}`;
    return `SELECT ${isClock ? this.beginning('step', grain, 'datetime') : 'CAST(step AS date)'} AS period FROM ${steps}`;
  }

  #emitOptions(columnOf: ColumnOf, replaced: ReadonlyMap<Typed, SqlColumn> | undefined): EmitOptions {
    return {
      ...this.#options,
      columnOf: ({ field }) => columnOf(field),
      params: this.params,
      ...(replaced ? { replaced } : {}),
    };
  }

  #written(emission: Emission): string {
    if (emission.kind === 'rejected') throw new NotWritable(emission.diagnostic);
    if (emission.kind === 'needsPlan') throw new TypeError('the question is not resolved');
    return emission.sql;
  }
}

/** How far a period is from the one before; a week for those of a year of weeks. */
function stepOf(unit: TimeUnit): string {
  const fiscal = readFiscalUnit(unit);
  if (!fiscal) return unit === 'quarter' ? '3 month' : `1 ${unit}`;
  if (fiscal.weeks || fiscal.grain === 'fiscal_week') return '7 day';
  return `${FISCAL_MONTHS[fiscal.grain]} month`;
}

type ColumnOf = (fieldId: string) => SqlColumn;

export interface OrderTerm {
  tree: Typed;
  /** The position of the column among those of the reply, from 1. */
  number: number;
  descending: boolean;
}

export function columnSql({ table, column: name }: SqlColumn): string {
  return table === undefined ? quoteIdentifier(name) : `${quoteIdentifier(table)}.${quoteIdentifier(name)}`;
}
