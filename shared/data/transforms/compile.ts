import { quoteIdentifier } from '../duckdb/quoting.ts';
import {
  call,
  convert,
  type DataType,
  type Dialect,
  type EmitOptions,
  emit,
  emitOrder,
  readsOf,
  type SqlColumn,
  type Typed,
  textLiteral,
} from '../expressions/index.ts';
import { NotWritable } from '../semantics/writer.ts';
import { columnExpression } from './column-expressions.ts';
import { aggregateType, columnTree } from './columns.ts';
import { filterTree } from './conditions.ts';
import type { TransformConfig, TransformType } from './configs.ts';
import { conversion } from './conversions.ts';
import { patternSql, replacementSql } from './patterns.ts';
import type { OrderTerm, Output, SelectBuilder } from './select-builder.ts';

type Orders = TransformConfig<'sort_rows'>['by'];

export type CompileOptions = Omit<EmitOptions, 'columnOf' | 'replaced'> & { dialect: Dialect };

type Compiler<T extends TransformType> = (chain: Chain, config: TransformConfig<T>) => void;

/** The name of the column that numbers the rows of a group. */
const ROW = '#row';

/**
 * The rows of a table after the steps so far. Every name in a configuration is that of a column, as the binding of the
 * chain ensures.
 */
export class Chain {
  readonly builder: SelectBuilder;
  readonly options: CompileOptions;
  /** The terms by which rows are sorted, as long as their columns are there. */
  order: readonly OrderTerm[] = [];
  /** The names of the queries that this step and the steps before it make. */
  stepName = '';
  doneName = '';

  constructor(builder: SelectBuilder, options: CompileOptions) {
    this.builder = builder;
    this.options = options;
  }

  /** Writes an expression over columns of the input. */
  sql(tree: Typed): string {
    return writeExpression(emit(tree, this.#emitOptions()));
  }

  ordered(term: OrderTerm): string {
    return this.#ordered(term, (output) => this.#columnOf(output));
  }

  /** The same for a query over this one. */
  orderedOutput(term: OrderTerm): string {
    return this.#ordered(term, ({ name, stored }) => ({ column: name, ...(stored ? { stored } : {}) }));
  }

  #ordered({ column, direction, nulls }: OrderTerm, columnOf: (output: Output) => SqlColumn): string {
    const output = this.builder.output(column);
    const options = { ...this.options, columnOf: () => columnOf(output) };
    return writeExpression(emitOrder(columnTree(output), direction, options, nulls));
  }

  #emitOptions(): EmitOptions {
    return { ...this.options, columnOf: ({ field }) => this.#columnOf(this.builder.output(field)) };
  }

  #columnOf({ name, value, stored }: Output): SqlColumn {
    if (!('column' in value)) throw new TypeError(`the column ${name} is not one of the input`);
    return { column: value.column, ...(stored ? { stored } : {}) };
  }

  prepare(columns: Iterable<string>): void {
    this.builder.prepare(columns, this.doneName);
  }

  prepareAll(): void {
    this.prepare(this.builder.outputs.map(({ name }) => name));
  }

  /** The given terms and then all other columns, so that no two different rows are equal in the order. */
  totalOrder(by: readonly OrderTerm[]): OrderTerm[] {
    const named = new Set(by.map(({ column }) => column));
    const others = this.builder.outputs.filter(({ name }) => !named.has(name));
    return [...by, ...others.map(({ name }): OrderTerm => ({ column: name, direction: 'asc', nulls: 'last' }))];
  }

  /** A column as a key of groups: a type that has no equality is compared as a text. */
  key(name: string): string {
    const output = this.builder.output(name);
    return output.stored === 'other' ? this.sql(columnTree(output)) : quoteIdentifier(inputOf(output));
  }

  replace(name: string, change: Partial<Output>): void {
    this.builder.setOutputs(
      this.builder.outputs.map((output) => (output.name === name ? { ...output, ...change } : output)),
    );
  }

  convert(tree: Typed, to: DataType, format?: string): string {
    const { dialect, timezone = 'UTC' } = this.options;
    return conversion(tree, to, { dialect, timezone, sql: (each) => this.sql(each) }, format);
  }

  /** Keeps the first rows of each group in the order. */
  keepFirst(count: number, keys: readonly string[], order: readonly OrderTerm[]): void {
    this.prepareAll();
    const outputs = this.builder.outputs;
    const row = quoteIdentifier(freeName(outputs));
    const partition = keys.length > 0 ? `PARTITION BY ${keys.map((name) => this.key(name)).join(', ')}` : '';
    const terms = order.filter(({ column }) => !keys.includes(column)).map((term) => this.ordered(term));
    const sorted = terms.length > 0 ? `ORDER BY ${terms.join(', ')}` : '';
    const from = this.builder.inner(`row_number() OVER (${[partition, sorted].join(' ').trim()}) AS ${row}`);
    const named = outputs.map((output) => ({ ...output, value: { column: output.name } }));
    this.builder.next(this.stepName, { outputs: named, from, conditions: [`${row} <= ${count}`] });
  }
}

function writeExpression(emission: ReturnType<typeof emit>): string {
  if (emission.kind === 'rejected') throw new NotWritable(emission.diagnostic);
  if (emission.kind === 'needsPlan') throw new TypeError('an expression of a row has no aggregates');
  return emission.sql;
}

const inputOf = ({ name, value }: Output): string => {
  if (!('column' in value)) throw new TypeError(`the column ${name} is not one of the input`);
  return value.column;
};

function freeName(outputs: readonly Output[]): string {
  let name = ROW;
  while (outputs.some((output) => output.name === name)) name += '_';
  return name;
}

const termsOf = (by: Orders): OrderTerm[] =>
  by
    .filter(({ column }, index) => by.findIndex((other) => other.column === column) === index)
    .map(({ column, direction = 'asc', nulls = 'last' }) => ({ column, direction, nulls }));

const reversed = (order: readonly OrderTerm[]): OrderTerm[] =>
  order.map(({ column, direction, nulls }) => ({
    column,
    direction: direction === 'asc' ? 'desc' : 'asc',
    nulls: nulls === 'last' ? 'first' : 'last',
  }));

export const COMPILERS: { [T in TransformType]: Compiler<T> } = {
  filter_rows: (chain, config) => {
    chain.prepare(config.conditions.map(({ column }) => column));
    const columns = new Map(chain.builder.outputs.map((output) => [output.name, output]));
    chain.builder.filter(chain.sql(filterTree(config, columns)));
  },

  remove_columns: (chain, { columns }) => {
    chain.builder.setOutputs(chain.builder.outputs.filter(({ name }) => !columns.includes(name)));
    // What was sorted by a column that is gone has no order from there on.
    const end = chain.order.findIndex(({ column }) => columns.includes(column));
    if (end >= 0) chain.order = chain.order.slice(0, end);
  },

  rename_column: (chain, { from, to }) => {
    chain.replace(from, { name: to });
    chain.order = chain.order.map((term) => (term.column === from ? { ...term, column: to } : term));
  },

  change_type: (chain, { column, type, onError = 'null', format }) => {
    if (chain.builder.output(column).type === type) return;
    chain.prepare([column]);
    const tree = columnTree(chain.builder.output(column));
    const converted = chain.convert(tree, type, format);
    const value = onError === 'null' ? converted : orFail(chain, { column, type }, chain.sql(tree), converted);
    chain.replace(column, { type, stored: undefined, value: { sql: value } });
  },

  add_column: (chain, { name, expression, type }) => {
    const columns = chain.builder.outputs.map((output) => ({ name: output.name, type: output.type }));
    const tree = columnExpression(columns, expression)!;
    chain.prepare(readsOf(tree).fields);
    const typed = tree.type === 'null' ? convert(tree, type ?? 'string') : tree;
    const target = type ?? (typed.type as DataType);
    const value = { sql: chain.convert(typed, target) };
    chain.builder.setOutputs([...chain.builder.outputs, { name, type: target, value }]);
  },

  replace_values: (chain, { column, pairs, mode = 'exact' }) => {
    chain.prepare([column]);
    const { dialect } = chain.options;
    const text = chain.sql(columnTree(chain.builder.output(column)));
    const literal = (value: string) => textLiteral(value, dialect);
    const branches = pairs.map(({ from, to }) => `WHEN ${literal(from)} THEN ${literal(to)}`);
    const sql =
      mode === 'exact'
        ? `CASE ${text} ${branches.join(' ')} ELSE ${text} END`
        : pairs.reduce(
            (value, { from, to }) =>
              `regexp_replace(${value}, ${literal(patternSql(from, dialect))}, ${literal(replacementSql(to, dialect))}, 'g')`,
            text,
          );
    chain.replace(column, { stored: undefined, value: { sql } });
  },

  sort_rows: (chain, { by }) => {
    chain.order = termsOf(by);
  },

  top_n: (chain, { n, by, perGroup }) => {
    const order = chain.totalOrder(termsOf(by));
    if (perGroup) chain.keepFirst(n, perGroup, order);
    else {
      chain.builder.prepareOrder(chain.doneName);
      const terms = order.map((term) => chain.ordered(term));
      chain.builder.next(chain.stepName, {
        outputs: chain.builder.outputs,
        rest: [`ORDER BY ${terms.join(', ')}`, `LIMIT ${n}`],
      });
    }
    chain.order = termsOf(by);
  },

  deduplicate: (chain, { keys, keep = 'first', orderBy }) => {
    const order = chain.totalOrder(orderBy ? termsOf(orderBy) : chain.order);
    chain.keepFirst(1, keys, keep === 'first' ? order : reversed(order));
  },

  group_aggregate: (chain, { groupBy, aggregations }) => {
    chain.prepare([...groupBy, ...aggregations.flatMap(({ column }) => column ?? [])]);
    const keys = groupBy.map((name): Output => {
      const output = chain.builder.output(name);
      return output.stored === 'other' ? { name, type: output.type, value: { sql: chain.key(name) } } : output;
    });
    const values = aggregations.map(({ column, fn, as }): Output => {
      const output = column === undefined ? undefined : chain.builder.output(column);
      return { name: as, ...aggregated(chain, fn, output) };
    });
    const grouping = keys.length > 0 ? [`GROUP BY ${keys.map((_, index) => index + 1).join(', ')}`] : [];
    chain.builder.next(chain.stepName, { outputs: [...keys, ...values], rest: grouping });
    chain.order = [];
  },
};

type AggregateFunction = TransformConfig<'group_aggregate'>['aggregations'][number]['fn'];

function aggregated(chain: Chain, fn: AggregateFunction, output: Output | undefined): Pick<Output, 'type' | 'value'> {
  const args = output ? [columnTree(output)] : [];
  // The engines agree on the order of truth values, but Postgres has no minimum of them.
  if (output?.type === 'boolean' && (fn === 'min' || fn === 'max'))
    return { type: 'boolean', value: { sql: `${fn === 'min' ? 'bool_and' : 'bool_or'}(${chain.sql(args[0]!)})` } };
  const type = aggregateType(fn, output?.type)!;
  return { type, value: { sql: chain.sql({ ...call(fn.toUpperCase(), args, type), level: 'aggregate' }) } };
}

/** The converted value; a value that does not convert ends the statement with a message, which does not show it. */
function orFail(
  { options: { dialect } }: Chain,
  { column, type }: { column: string; type: DataType },
  value: string,
  converted: string,
): string {
  const message = textLiteral(`A value of the column "${column}" cannot be converted to ${type}.`, dialect);
  const isDone = `CASE WHEN ${value} IS NULL OR ${converted} IS NOT NULL THEN ${converted}`;
  // Postgres has no function that fails, and statements may not call that of DuckDB. The empty part of the value keeps
  // the engine from computing the message in advance.
  return `${isDone} WHEN CAST(${message} || left(CAST(${value} AS text), 0) AS integer) = 0 THEN NULL END`;
}
