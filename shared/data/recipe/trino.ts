import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { aggregateCall, catchNotPortable, functionCall } from '../trino/calls.ts';
import { castTo } from '../trino/casts.ts';
import { comparisonSql } from '../trino/comparisons.ts';
import type { Context } from '../trino/context.ts';
import { expression } from '../trino/expressions.ts';
import { literal } from '../trino/function-table.ts';
import { keptRows } from '../trino/kept-rows.ts';
import { ofParameter, text } from '../trino/literals.ts';
import { type PortabilityIssue, PortabilityIssues } from '../trino/portability-issues.ts';
import { raise } from '../trino/raise.ts';
import { columnOf, inTable, type NamedTable, type TypedColumn } from '../trino/scope.ts';
import { pattern } from '../trino/text-functions.ts';
import { commonType, NULL, type Typed, UNKNOWN } from '../trino/typed.ts';
import { unify } from '../trino/unify.ts';
import { aggregateOver, valueOver, WINDOW_FUNCTIONS } from '../trino/windows.ts';
import type { Expression, Relation, Sorting } from './tree.ts';

/** The parse tree of an author's text and the parameters bound to its references. */
export interface AuthorTree {
  node: TreeNode;
  params: readonly EngineParameter[];
}

interface Rows {
  name: string;
  columns: TypedColumn[];
  /** The order of the rows, if they were sorted, and whether a limit has used it. */
  order?: { by: readonly Sorting[]; used: boolean };
}

type Select = Extract<Relation, { kind: 'select' }>;
type Join = Extract<Relation, { kind: 'join' }>;
type Inputs = Readonly<Record<string, readonly TypedColumn[]>>;

/** Nodes of generated trees have no position in a text. */
const NOWHERE: TreeNode = {};

/** Functions without a counterpart in Athena, with the reason. */
const STAYS: Record<string, string> = {
  jsonText: 'parse_json cannot run in Athena, which formats JSON values differently.',
  unnest: 'flatten cannot run in Athena, because only DuckDB reads lists.',
  unnestJson: 'flatten cannot run in Athena, because only DuckDB reads lists.',
  shareOf: 'sample cannot run in Athena, because it depends on a hash of DuckDB.',
};

/**
 * Emits the rows after each operation of a recipe as SQL for Trino, one common table expression per node, and reports
 * each operation that cannot run there (`/ops/<n>`). `steps` are the relations after each operation, `whole` the final
 * rows.
 */
export function emitTrino(
  steps: readonly Relation[],
  whole: Relation,
  inputs: Inputs,
  treeOf: (text: string) => AuthorTree,
): { query: { sql: string; columns: TypedColumn[] }; reasons: PortabilityIssue[] } {
  const emitter = new Emitter(inputs, treeOf);
  const places = steps.map((step, index) => emitter.emit(step, `/ops/${index}`));
  const { rows } = emitter.emit(whole, `/ops/${steps.length - 1}`);
  const reasons = places.flatMap(({ reasons }) => reasons);
  for (const [index, { rows }] of places.entries()) {
    if (rows.order && !rows.order.used) {
      const message = 'sort needs a limit directly after it to run in Athena, which does not keep the order of rows.';
      reasons.push({ pointer: `/ops/${index}`, message });
    }
  }
  return {
    query: { sql: `${emitter.withClause()}SELECT * FROM ${rows.name}`, columns: rows.columns },
    reasons,
  };
}

class Emitter {
  readonly #treeOf: (text: string) => AuthorTree;
  readonly #inputs: Inputs;
  readonly #parts: string[] = [];
  readonly #known = new Map<Relation, Rows>();
  #issues = new PortabilityIssues(undefined);

  constructor(inputs: Inputs, treeOf: (text: string) => AuthorTree) {
    this.#inputs = inputs;
    this.#treeOf = treeOf;
  }

  withClause(): string {
    return this.#parts.length === 0 ? '' : `WITH ${this.#parts.join(', ')} `;
  }

  emit(relation: Relation, pointer: string): { rows: Rows; reasons: PortabilityIssue[] } {
    this.#issues = new PortabilityIssues(undefined, pointer);
    const rows = this.#rows(relation);
    return { rows, reasons: this.#issues.found };
  }

  #rows(relation: Relation): Rows {
    if (relation.kind === 'table') {
      return { name: quoteIdentifier(relation.name), columns: [...(this.#inputs[relation.name] ?? [])] };
    }
    const known = this.#known.get(relation);
    if (known) return known;
    const { sql, ...rest } = this.#query(relation);
    const name = `"step ${this.#parts.length + 1} of the recipe"`;
    this.#parts.push(`${name} AS (${sql})`);
    const rows: Rows = { name, ...rest };
    this.#known.set(relation, rows);
    return rows;
  }

  #query(relation: Exclude<Relation, { kind: 'table' }>): Omit<Rows, 'name'> & { sql: string } {
    if (relation.kind === 'set') return this.#setOperation(relation);
    return relation.kind === 'join' ? this.#join(relation) : this.#select(relation);
  }

  #setOperation({ op, all, inputs }: Extract<Relation, { kind: 'set' }>) {
    const parts = inputs.map((input) => this.#rows(input));
    const columns = parts[0]!.columns.map(({ name }, index) => {
      const types = parts.map((part) => part.columns[index]?.type ?? 'unknown');
      const type = types.reduce(
        (a, b) => commonType(a, b) ?? this.#reject(`${name} is of several types: ${a} and ${b}.`).type,
      );
      return { name, type };
    });
    const word = ` ${op.toUpperCase()}${all ? ' ALL' : ''} `;
    return { sql: parts.map(({ name }) => `SELECT * FROM ${name}`).join(word), columns };
  }

  #join(relation: Join) {
    const [left, right] = [this.#rows(relation.left), this.#rows(relation.right)];
    const tables = [
      { alias: 'left', columns: left.columns },
      { alias: 'right', columns: right.columns },
    ];
    const context = this.#context(tables);
    const on = relation.on.map((pair) => {
      const [a, b] = [this.#column(tables[0]!, pair.left), this.#column(tables[1]!, pair.right)];
      if (a.type === 'double' || b.type === 'double')
        this.#reject('A join over doubles treats NaN differently in Athena.');
      return comparisonSql('=', a, b) ?? this.#reject(`${pair.left} is ${a.type} and ${pair.right} is ${b.type}.`).sql;
    });
    const { columns, outputs } = this.#outputs(relation.outputs, context);
    if (relation.type === 'semi' || relation.type === 'anti') {
      const exists = `EXISTS (SELECT 1 FROM ${right.name} AS "right" WHERE ${on.join(' AND ')})`;
      const where = relation.type === 'semi' ? exists : `NOT ${exists}`;
      return { sql: `SELECT ${outputs.join(', ')} FROM ${left.name} AS "left" WHERE ${where}`, columns };
    }
    const joined = `${left.name} AS "left" ${relation.type.toUpperCase()} JOIN ${right.name} AS "right" ON ${on.join(' AND ')}`;
    return { sql: `SELECT ${outputs.join(', ')} FROM ${joined}`, columns };
  }

  #select({ from, where, groupBy, keepFirstOf, orderBy, orderByShare, limit, outputs: wanted }: Select) {
    const source = this.#rows(from);
    const input: NamedTable = { alias: 'input', columns: source.columns };
    const context = this.#context([input]);
    const { columns, outputs } = this.#outputs(wanted, context);
    let rest = ` FROM ${source.name} AS "input"`;
    if (where) rest += ` WHERE ${this.#value(where, context).sql}`;
    if (groupBy && groupBy.length > 0)
      rest += ` GROUP BY ${groupBy.map((name) => this.#column(input, name).sql).join(', ')}`;
    if (keepFirstOf) {
      const over = {
        partitionBy: this.#names(input, keepFirstOf.keys),
        orderBy: this.#keys(input, [...keepFirstOf.orderBy, ...(keepFirstOf.ties ?? [])]),
        frame: '',
      };
      const first = `(${valueOver('row_number', [], over, NOWHERE, context).sql} ${keepFirstOf.others ? '>' : '='} 1)`;
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
      return { sql: keptRows({ outputs, where: first, rest }, names), columns };
    }
    if (orderByShare) this.#reject(STAYS.shareOf!);
    else if (limit) rest += this.#limited(source, input, limit);
    return {
      sql: `SELECT ${outputs.join(', ')}${rest}`,
      columns,
      ...(orderBy ? { order: { by: orderBy, used: false } } : {}),
    };
  }

  /** A limit takes the first rows in the order of the sort before it. */
  #limited(source: Rows, input: NamedTable, limit: { count: number; offset: number }): string {
    if (!source.order) this.#reject('limit moves only right behind a sort: Athena would take other rows.');
    else source.order.used = true;
    const by = this.#keys(input, source.order?.by ?? []).join(', ');
    return ` ORDER BY ${by}${limit.offset > 0 ? ` OFFSET ${limit.offset}` : ''} LIMIT ${limit.count}`;
  }

  #outputs(wanted: Select['outputs'], context: Context): { columns: TypedColumn[]; outputs: string[] } {
    const made = wanted.map(({ name, value }) => ({ name, value: this.#value(value, context) }));
    return {
      columns: made.map(({ name, value: { type } }) => ({ name, type })),
      outputs: made.map(({ name, value: { sql } }) => `${sql} AS ${quoteIdentifier(name)}`),
    };
  }

  #context(tables: NamedTable[]): Context {
    const query = () => ({ sql: this.#reject('A query within an expression cannot run in Athena.').sql, columns: [] });
    return { scope: { tables }, issues: this.#issues, params: [], expression, query };
  }

  #reject(message: string): Typed {
    return this.#issues.add(message);
  }

  #column(table: NamedTable, name: string): Typed {
    const found = columnOf(table, name);
    if (found?.barred) return this.#reject(found.barred);
    return found ? inTable(table, found) : this.#reject(`There is no column ${name}.`);
  }

  #names(table: NamedTable, names: readonly string[]): string[] {
    return names.map((name) => this.#column(table, name).sql);
  }

  #keys(table: NamedTable, by: readonly Sorting[]): string[] {
    return by.map(({ column, direction }) => {
      return `${this.#column(table, column).sql} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`;
    });
  }

  #value(value: Expression, context: Context): Typed {
    const [input] = context.scope!.tables;
    switch (value.kind) {
      case 'column': {
        const table = context.scope!.tables.find(({ alias }) => alias === value.of) ?? input!;
        return this.#column(table, value.name);
      }
      case 'value':
        return ofParameter(value.value) ?? this.#reject('A value of this kind has no counterpart in Athena.');
      case 'author': {
        const { node, params } = this.#treeOf(value.text);
        return expression(node, { ...context, params });
      }
      case 'call':
        return this.#call(value, context);
      case 'cast': {
        const inner = this.#value(value.value, context);
        const made = castTo(inner, value.type, value.lenient);
        return made ?? this.#reject(`A cast from ${inner.type} to ${value.type} has other results in Athena.`);
      }
      case 'case': {
        const results = [value.result, ...(value.otherwise ? [value.otherwise] : [])];
        const { values, type } = unify(
          results.map((each) => this.#value(each, context)),
          NOWHERE,
          context,
        );
        const otherwise = value.otherwise ? ` ELSE ${values[1]!.sql}` : '';
        return {
          sql: `CASE WHEN ${this.#value(value.when, context).sql} THEN ${values[0]!.sql}${otherwise} END`,
          type,
        };
      }
      case 'aggregate': {
        const distinct = value.fn === 'count_distinct';
        const args = value.of ? [this.#value(value.of, context)] : [];
        const where = value.where ? this.#value(value.where, context).sql : undefined;
        return aggregateCall(distinct ? 'count' : value.fn, args, { distinct, orderBy: '', where }, undefined, context);
      }
      case 'window':
        return this.#window(value, input!, context);
    }
  }

  #window(value: Extract<Expression, { kind: 'window' }>, input: NamedTable, context: Context): Typed {
    const { fn, frame } = value;
    if (frame === 'before' || frame === 'after') {
      return this.#reject('fill from other rows cannot run in Athena, which does not keep the order of rows.');
    }
    const over = {
      partitionBy: this.#names(input, value.partitionBy),
      orderBy: this.#keys(input, value.orderBy),
      frame: frame ? ' ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW' : '',
    };
    const args = value.args.map((each) => this.#value(each, context));
    return Object.hasOwn(WINDOW_FUNCTIONS, fn)
      ? valueOver(fn, args, over, undefined, context)
      : aggregateOver(fn, args, over, undefined, context);
  }

  /** Fails at a row and includes its first column in the message. */
  #failure(message: string, { scope }: Context): Typed {
    const [table] = scope!.tables;
    const [column] = table!.columns;
    return { ...NULL, sql: raise(message.replace(/\.$/, ''), inTable(table!, column!).sql) };
  }

  #call({ fn, args: given }: Extract<Expression, { kind: 'call' }>, context: Context): Typed {
    if (STAYS[fn]) return this.#reject(STAYS[fn]);
    const args = given.map((each) => this.#value(each, context));
    const [first, second, third] = args;
    if (args.some(({ type }) => type === 'unknown')) return UNKNOWN;
    switch (fn) {
      case 'trim':
      case 'upper':
      case 'lower':
      case 'replace':
        return functionCall(fn, args, undefined, context);
      case 'replacePattern':
        return functionCall('regexp_replace', [...args, text('g')], undefined, context);
      case 'joinTexts':
        return functionCall('concat_ws', args, undefined, context);
      case 'title': {
        const word = 'upper(substr(word, 1, 1)) || lower(substr(word, 2))';
        return { sql: `array_join(transform(split(${first!.sql}, ' '), word -> ${word}), ' ')`, type: 'string' };
      }
      case 'splitPart':
        return { sql: `nullif(split_part(${first!.sql}, ${second!.sql}, ${third!.sql}), '')`, type: 'string' };
      case 'extractPattern':
        return catchNotPortable('extract', undefined, context, () => {
          literal(second, 'the pattern');
          const [of, by] = [first!.sql, text(pattern(second)).sql];
          const found = `coalesce(regexp_extract(${of}, ${by}, ${third!.sql}), '')`;
          return { sql: `CASE WHEN regexp_like(${of}, ${by}) THEN ${found} END`, type: 'string' };
        });
      case 'coalesce': {
        const { values, type } = unify(args, NOWHERE, context);
        return { sql: `coalesce(${values.map(({ sql }) => sql).join(', ')})`, type };
      }
      case 'equals':
      case 'greater':
      case 'less': {
        const sign = { equals: '=', greater: '>', less: '<' } as const;
        const sql = comparisonSql(sign[fn], first!, second!);
        return sql ? { sql, type: 'boolean' } : this.#reject(`${first!.type} and ${second!.type} cannot be compared.`);
      }
      case 'and':
        return { sql: `(${args.map(({ sql }) => sql).join(' AND ')})`, type: 'boolean' };
      case 'failure':
        return this.#failure(first!.text!, context);
      default:
        return this.#reject(`The operation ${fn} has no counterpart in Athena.`);
    }
  }
}
