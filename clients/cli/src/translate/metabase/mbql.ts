import { Untranslatable } from '../report.ts';
import { isMembers, listOf, type Members, membersOf, textOf } from '../values.ts';

/** How tables and other questions are written in a statement. */
export interface Sources {
  table(path: readonly unknown[]): string;
  /** The statement of another question. */
  question(id: string): string;
  checks: string[];
}

/** A question as a statement, and the names of its columns. */
export interface Statement {
  sql: string;
  dimensions: string[];
  metrics: string[];
  /**
   * The column of the result by which a filter chooses the same rows as one on the column of the question, such as
   * `[field, …]`. Throws `Untranslatable` if there is none.
   */
  columnFor(clause: unknown, stage: number | undefined): string;
}

/** Translates a question to SQL that DuckDB and Postgres read. Throws `Untranslatable` for what it cannot say. */
export function statementOf(query: Members, sources: Sources): Statement {
  return new Query(query, sources).statement();
}

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const constant = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const KNOWN = new Set(
  'source-table source-query source-metadata aggregation breakout fields filter order-by limit expressions joins lib/type source-card filters aggregation-idents breakout-idents expression-idents'.split(
    ' ',
  ),
);

class Query {
  readonly #query: Members;
  readonly #sources: Sources;
  /** The name before columns of the table that is asked. */
  readonly #own: string;

  constructor(query: Members, sources: Sources) {
    this.#query = query;
    this.#sources = sources;
    const table = query['source-table'];
    this.#own = Array.isArray(table) ? String(table.at(-1)) : 'source';
    for (const [name, value] of Object.entries(query)) {
      const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
      if (!KNOWN.has(name) && !isEmpty) throw new Untranslatable(`"${name}" of a question has no counterpart.`);
    }
  }

  statement(): Statement {
    const query = this.#query;
    const names = new Set<string>();
    const named = (sql: string, wanted: string) => {
      let name = wanted;
      for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${wanted}_${number}`;
      names.add(name.toLowerCase());
      return { sql, name };
    };
    const breakouts = listOf(query.breakout).map((each) => named(this.#value(each), nameOfField(each)));
    const aggregations = listOf(query.aggregation).map((each) => {
      const { clause, name } = unwrapped(each);
      return named(this.#aggregate(clause), name);
    });
    const isGrouped = breakouts.length + aggregations.length > 0;
    const columns = isGrouped ? [...breakouts, ...aggregations] : this.#rowColumns(named);
    const selected = columns.map(({ sql, name }) => `${sql} AS ${identifier(name)}`);
    const lines = [`SELECT ${selected.length > 0 ? selected.join(', ') : '*'}`, `FROM ${this.#from()}`];
    for (const join of listOf(query.joins)) lines.push(this.#join(membersOf(join)));
    if (query.filter !== undefined) lines.push(`WHERE ${this.#condition(query.filter)}`);
    if (breakouts.length > 0 && isGrouped) lines.push(`GROUP BY ${breakouts.map((_, index) => index + 1).join(', ')}`);
    const order = this.#order(columns, breakouts.length);
    if (order.length > 0) lines.push(`ORDER BY ${order.join(', ')}`);
    if (query.limit !== undefined) lines.push(`LIMIT ${Number(query.limit)}`);
    const shown = isGrouped ? listOf(query.breakout) : listOf(query.fields);
    const places = new Map(shown.map((clause, index) => [placeOf(clause), columns[index]?.name] as const));
    return {
      sql: lines.join('\n'),
      dimensions: breakouts.map(({ name }) => name),
      metrics: aggregations.map(({ name }) => name),
      columnFor: (clause, stage) => this.#columnFor(clause, stage, { places, isGrouped }),
    };
  }

  /** Groups of a column are the same, whether their rows or they themselves are chosen; limits count after a filter. */
  #columnFor(
    clause: unknown,
    stage: number | undefined,
    { places, isGrouped }: { places: ReadonlyMap<string | undefined, string | undefined>; isGrouped: boolean },
  ): string {
    const query = this.#query;
    const last = stagesBelow(query);
    if (query.limit !== undefined) throw new Untranslatable('The limit of its question applies after the filter.');
    if (stage === undefined ? last > 0 : stage !== -1 && stage !== last)
      throw new Untranslatable('It filters an inner part of its question.');
    const place = placeOf(clause);
    const found = place === undefined ? undefined : places.get(place);
    if (found !== undefined) return found;
    const [, ref] = listOf(clause);
    const table = query['source-table'];
    const isWhole = !isGrouped && !Array.isArray(query.fields) && Array.isArray(table);
    if (place !== undefined && isWhole && Array.isArray(ref) && isBelow(ref, table)) return String(ref.at(-1));
    throw new Untranslatable('The result of its question has no such column.');
  }

  /** Without groups: the chosen columns, and those with an expression. */
  #rowColumns(named: (sql: string, name: string) => { sql: string; name: string }) {
    const { fields, joins } = this.#query;
    const expressions = Object.keys(membersOf(this.#query.expressions));
    if (!Array.isArray(fields)) {
      if (listOf(joins).length > 0)
        throw new Untranslatable('All columns of joined tables have no counterpart; choose some.');
      if (expressions.length > 0)
        throw new Untranslatable('All columns besides expressions have no counterpart; choose some.');
      return [];
    }
    return fields.map((each: unknown) => named(this.#value(each), nameOfField(each)));
  }

  #from(): string {
    const { 'source-table': table, 'source-query': inner } = this.#query;
    if (Array.isArray(table)) return `${this.#sources.table(table)} AS ${identifier(this.#own)}`;
    if (typeof table === 'string') return `(\n${this.#sources.question(table)}\n) AS ${identifier(this.#own)}`;
    if (isMembers(inner)) {
      const sql = inner.native === undefined ? statementOf(inner, this.#sources).sql : String(inner.native);
      return `(\n${sql}\n) AS ${identifier(this.#own)}`;
    }
    throw new Untranslatable('It has no table or question to read.');
  }

  #join(join: Members): string {
    const table = join['source-table'];
    const [alias, strategy] = [textOf(join.alias), textOf(join.strategy) ?? 'left-join'];
    const kind = JOINS[strategy];
    if (alias === undefined || !kind) throw new Untranslatable('A join has no counterpart.');
    const source = Array.isArray(table)
      ? this.#sources.table(table)
      : typeof table === 'string'
        ? `(\n${this.#sources.question(table)}\n)`
        : undefined;
    if (source === undefined) throw new Untranslatable('A join with a question of its own has no counterpart.');
    return `${kind} ${source} AS ${identifier(alias)} ON ${this.#condition(join.condition)}`;
  }

  #order(columns: readonly { name: string }[], dimensions: number): string[] {
    return listOf(this.#query['order-by']).map((each) => {
      const [direction, value] = listOf(each);
      if (direction !== 'asc' && direction !== 'desc') throw new Untranslatable('Its order has no counterpart.');
      const [kind, index] = listOf(value);
      const sorted =
        kind === 'aggregation'
          ? columns[dimensions + Number(index)]
          : columns.find(({ name }) => name === nameOfField(value));
      const sql = sorted ? identifier(sorted.name) : columns.length === 0 ? this.#value(value) : undefined;
      if (sql === undefined) throw new Untranslatable('It is sorted by a column that it does not show.');
      return direction === 'asc' ? sql : `${sql} DESC`;
    });
  }

  #aggregate(clause: unknown): string {
    const [name, ...args] = listOf(clause);
    if (name === 'count' && args.length === 0) return 'count(*)';
    if (name === 'count-where' || name === 'sum-where') {
      const condition = this.#condition(args.at(-1));
      const value = name === 'count-where' ? '1' : this.#value(args[0]);
      return name === 'count-where'
        ? `count(CASE WHEN ${condition} THEN 1 END)`
        : `sum(CASE WHEN ${condition} THEN ${value} END)`;
    }
    if (name === 'distinct') return `count(DISTINCT ${this.#value(args[0])})`;
    const called = AGGREGATES[String(name)];
    if (called) return `${called}(${this.#value(args[0])})`;
    const operator = ARITHMETIC.has(String(name)) ? String(name) : undefined;
    if (operator)
      return this.#chain(
        operator,
        args.map((arg) => (Array.isArray(arg) ? this.#aggregate(arg) : this.#value(arg))),
      );
    throw new Untranslatable(`The aggregation "${String(name)}" has no counterpart.`);
  }

  #chain(operator: string, operands: readonly string[]): string {
    // Metabase divides with a fraction, and gives nothing for a divisor of zero.
    if (operator === '/')
      return `(${operands.map((each, index) => (index === 0 ? `CAST(${each} AS DOUBLE PRECISION)` : `NULLIF(${each}, 0)`)).join(' / ')})`;
    return `(${operands.join(` ${operator} `)})`;
  }

  /** Columns, constants and expressions. */
  #value(clause: unknown): string {
    if (typeof clause === 'number') return String(clause);
    if (typeof clause === 'boolean') return clause ? 'TRUE' : 'FALSE';
    if (typeof clause === 'string') return constant(clause);
    if (clause === null) return 'NULL';
    const [name, ...args] = listOf(clause);
    if (name === 'field') return this.#field(args[0], membersOf(args[1]));
    if (name === 'value') return this.#value(args[0]);
    if (name === 'expression') {
      const expression = membersOf(this.#query.expressions)[String(args[0])];
      if (expression === undefined) throw new Untranslatable(`There is no expression "${String(args[0])}".`);
      return this.#value(expression);
    }
    if (name === 'absolute-datetime') return this.#value(args[0]);
    if (ARITHMETIC.has(String(name)))
      return this.#chain(
        String(name),
        args.map((arg) => this.#value(arg)),
      );
    if (name === 'case') return this.#case(args);
    const called = FUNCTIONS[String(name)];
    if (called) return `${called}(${args.map((arg) => this.#value(arg)).join(', ')})`;
    throw new Untranslatable(`The expression "${String(name)}" has no counterpart.`);
  }

  #case([branches, options]: unknown[]): string {
    const whens = listOf(branches).map((branch) => {
      const [condition, value] = listOf(branch);
      return `WHEN ${this.#condition(condition)} THEN ${this.#value(value)}`;
    });
    const other = isMembers(options) ? options.default : options;
    return `CASE ${whens.join(' ')}${other === undefined ? '' : ` ELSE ${this.#value(other)}`} END`;
  }

  #field(ref: unknown, options: Members): string {
    if (options['source-field'] !== undefined)
      throw new Untranslatable('Columns reached through a foreign key have no counterpart; join the table.');
    if (options.binning !== undefined && options.binning !== null)
      throw new Untranslatable('Ranges of numbers (binning) have no counterpart.');
    const name = Array.isArray(ref) ? String(ref.at(-1)) : textOf(ref);
    if (name === undefined) throw new Untranslatable('A column has no name.');
    const column = `${identifier(textOf(options['join-alias']) ?? this.#own)}.${identifier(name)}`;
    const unit = textOf(options['temporal-unit']);
    if (unit === undefined || unit === 'default') return column;
    if (!UNITS.has(unit)) throw new Untranslatable(`The unit of time "${unit}" has no counterpart.`);
    if (unit === 'week') this.#sources.checks.push('Weeks begin on Monday.');
    return `date_trunc('${unit}', ${column})`;
  }

  #condition(clause: unknown): string {
    const [name, ...all] = listOf(clause);
    const options = membersOf(all.at(-1));
    const args = isMembers(all.at(-1)) ? all.slice(0, -1) : all;
    const isLogical = name === 'and' || name === 'or';
    if (isLogical) return `(${args.map((arg) => this.#condition(arg)).join(` ${String(name).toUpperCase()} `)})`;
    if (name === 'not') return `NOT ${this.#condition(args[0])}`;
    if (name === 'time-interval') return this.#interval(args, options);
    const [left = '', ...right] = args.map((arg) => this.#value(arg));
    if (name === '=') return right.length === 1 ? `${left} = ${right[0]}` : `${left} IN (${right.join(', ')})`;
    if (name === '!=') {
      const differs = right.length === 1 ? `${left} <> ${right[0]}` : `${left} NOT IN (${right.join(', ')})`;
      return `(${differs} OR ${left} IS NULL)`;
    }
    if (['<', '>', '<=', '>='].includes(String(name)) && right.length === 1)
      return `${left} ${String(name)} ${right[0]}`;
    if (name === 'between' && right.length === 2) return `${left} BETWEEN ${right.join(' AND ')}`;
    if (name === 'is-null') return `${left} IS NULL`;
    if (name === 'not-null') return `${left} IS NOT NULL`;
    if (name === 'is-empty') return `(${left} IS NULL OR ${left} = '')`;
    if (name === 'not-empty') return `(${left} IS NOT NULL AND ${left} <> '')`;
    const like = LIKES[String(name)];
    if (like) return likeCondition(left, args.slice(1), like, options['case-sensitive'] === false);
    throw new Untranslatable(`The condition "${String(name)}" has no counterpart.`);
  }

  /** Such as the last 30 days, without today. */
  #interval([field, count, unit]: unknown[], options: Members): string {
    const amount = count === 'current' ? 0 : count === 'last' ? -1 : count === 'next' ? 1 : Number(count);
    if (!UNITS.has(String(unit)) || !Number.isInteger(amount))
      throw new Untranslatable('Its interval of time has no counterpart.');
    if (unit === 'week') this.#sources.checks.push('Weeks begin on Monday.');
    const start = `date_trunc('${String(unit)}', now())`;
    const at = (offset: number) => {
      const [step, size] = unit === 'quarter' ? ['month', 3 * offset] : [String(unit), offset];
      return offset === 0 ? start : `${start} ${offset < 0 ? '-' : '+'} INTERVAL '${Math.abs(size)} ${step}'`;
    };
    const isOpen = options['include-current'] === true;
    const [from, to] = amount < 0 ? [amount, isOpen ? 1 : 0] : amount === 0 ? [0, 1] : [isOpen ? 0 : 1, amount + 1];
    const column = this.#value(field);
    return `(${column} >= ${at(from)} AND ${column} < ${at(to)})`;
  }
}

/** What a field is, if it is nothing but a column: its path, and the join that it comes from. */
function placeOf(clause: unknown): string | undefined {
  const [kind, ...args] = listOf(clause);
  const [ref, given] = isMembers(args[0]) ? args.toReversed() : args;
  const options = membersOf(given);
  const unit = textOf(options['temporal-unit']);
  const isChanged =
    (unit !== undefined && unit !== 'default') || [options.binning, options['source-field']].some(Boolean);
  if (kind !== 'field' || isChanged || typeof ref === 'number') return undefined;
  return JSON.stringify([ref, options['join-alias'] ?? null]);
}

const stagesBelow = ({ 'source-query': inner }: Members): number => (isMembers(inner) ? 1 + stagesBelow(inner) : 0);

const isBelow = (ref: readonly unknown[], table: readonly unknown[]): boolean =>
  ref.length === table.length + 1 && table.every((part, index) => part === ref[index]);

const JOINS: Readonly<Record<string, string>> = {
  'left-join': 'LEFT JOIN',
  'right-join': 'RIGHT JOIN',
  'inner-join': 'JOIN',
  'full-join': 'FULL JOIN',
};
const AGGREGATES: Readonly<Record<string, string>> = { count: 'count', sum: 'sum', avg: 'avg', min: 'min', max: 'max' };
const ARITHMETIC = new Set(['+', '-', '*', '/']);
const FUNCTIONS: Readonly<Record<string, string>> = {
  abs: 'abs',
  ceil: 'ceil',
  floor: 'floor',
  round: 'round',
  sqrt: 'sqrt',
  exp: 'exp',
  power: 'power',
  upper: 'upper',
  lower: 'lower',
  trim: 'trim',
  length: 'length',
  replace: 'replace',
  substring: 'substr',
  coalesce: 'coalesce',
  concat: 'concat',
};
const UNITS = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']);
const LIKES: Readonly<Record<string, { start: string; end: string; isNegated?: boolean }>> = {
  contains: { start: '%', end: '%' },
  'does-not-contain': { start: '%', end: '%', isNegated: true },
  'starts-with': { start: '', end: '%' },
  'ends-with': { start: '%', end: '' },
};

function likeCondition(
  left: string,
  values: readonly unknown[],
  { start, end, isNegated }: { start: string; end: string; isNegated?: boolean },
  isCaseless: boolean,
): string {
  const parts = values.map((value) => {
    if (typeof value !== 'string') throw new Untranslatable('A text is compared with a value of another type.');
    const pattern = constant(start + value.replaceAll(/[!%_]/g, '!$&') + end);
    return isCaseless ? `lower(${left}) LIKE lower(${pattern}) ESCAPE '!'` : `${left} LIKE ${pattern} ESCAPE '!'`;
  });
  const matches = parts.length === 1 ? parts[0]! : `(${parts.join(' OR ')})`;
  return isNegated ? `(NOT ${matches} OR ${left} IS NULL)` : matches;
}

/** `[aggregation-options, …]` gives an aggregate a name. */
function unwrapped(clause: unknown): { clause: unknown; name: string } {
  const [kind, inner, options] = listOf(clause);
  if (kind !== 'aggregation-options') return { clause, name: NAMES[String(kind)] ?? String(kind) };
  const { name, 'display-name': displayName } = membersOf(options);
  return { clause: inner, name: textOf(displayName) ?? textOf(name) ?? unwrapped(inner).name };
}

/** As Metabase calls the columns of aggregates, in settings of charts as well. */
const NAMES: Readonly<Record<string, string>> = {
  distinct: 'count',
  'count-where': 'count_where',
  'sum-where': 'sum_where',
};

function nameOfField(clause: unknown): string {
  const [kind, ref] = listOf(clause);
  if (kind === 'expression') return String(ref);
  if (kind !== 'field')
    throw new Untranslatable('A column that is neither a field nor an expression has no counterpart.');
  return Array.isArray(ref) ? String(ref.at(-1)) : String(ref);
}
