import { engineTypeOf } from '../duckdb/column-types.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { Expression, FunctionName, Relation, Sorting } from './tree.ts';

export interface EmittedSql {
  sql: string;
  /** Values of `$1`, `$2`, … */
  params: EngineParameter[];
}

/** Binds the references of an author's text; the first parameter is `$<first>`. */
export type BindText = (text: string, first: number) => EmittedSql;

/** Emits a relation as SQL for DuckDB: one common table expression per node, names quoted, values bound. */
export function emitDuckDb(relation: Relation, bindText: BindText): EmittedSql {
  const emitter = new Emitter(bindText);
  const last = emitter.relation(relation);
  return { sql: `${emitter.withClause()}SELECT * FROM ${last}`, params: emitter.params };
}

const AGGREGATE: Record<string, (of: string) => string> = {
  count: (of) => `count(${of})`,
  count_distinct: (of) => `count(DISTINCT ${of})`,
  stddev: (of) => `stddev_samp(${of})`,
  variance: (of) => `var_samp(${of})`,
};

const FUNCTIONS: Record<FunctionName, (...args: string[]) => string> = {
  trim: (text) => `trim(${text})`,
  upper: (text) => `upper(${text})`,
  lower: (text) => `lower(${text})`,
  title: (text) =>
    `array_to_string(list_transform(string_split(${text}, ' '), lambda word: upper(word[1]) || lower(word[2:])), ' ')`,
  replace: (text, from, to) => `replace(${text}, ${from}, ${to})`,
  replacePattern: (text, pattern, to) => `regexp_replace(${text}, ${pattern}, ${to}, 'g')`,
  splitPart: (text, delimiter, part) => `nullif(split_part(${text}, ${delimiter}, ${part}), '')`,
  joinTexts: (separator, ...texts) => `concat_ws(${separator}, ${texts.join(', ')})`,
  extractPattern: (text, pattern, group) =>
    `CASE WHEN regexp_matches(${text}, ${pattern}) THEN regexp_extract(${text}, ${pattern}, ${group}::INTEGER) END`,
  jsonText: (text, path) => `json_extract_string(${text}::JSON, ${path})`,
  unnest: (list) => `unnest(${list})`,
  unnestJson: (list) => `unnest(${list}::JSON[])`,
  coalesce: (...values) => `coalesce(${values.join(', ')})`,
  equals: (a, b) => `(${a} = ${b})`,
  and: (...conditions) => conditions.join(' AND '),
  less: (a, b) => `(${a} < ${b})`,
  greater: (a, b) => `(${a} > ${b})`,
  // A number between 0 and 1 that depends on the values only, so that a sample is the same each time.
  shareOf: (...values) => `(hash(${values.join(', ')}) / 18446744073709551616.0::DOUBLE)`,
  failure: (message) => `error(${message})`,
};

const FRAMES = {
  before: ' ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
  after: ' ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
  running: ' ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
  equals: ' RANGE BETWEEN CURRENT ROW AND CURRENT ROW',
};

class Emitter {
  readonly params: EngineParameter[] = [];
  readonly #bindText: BindText;
  readonly #parts: string[] = [];
  readonly #known = new Map<Relation, string>();

  constructor(bindText: BindText) {
    this.#bindText = bindText;
  }

  withClause(): string {
    return this.#parts.length === 0 ? '' : `WITH ${this.#parts.join(',\n')}\n`;
  }

  /** The name of a relation. A relation that several others read is emitted once. */
  relation(relation: Relation): string {
    if (relation.kind === 'table') return quoteIdentifier(relation.name);
    const known = this.#known.get(relation);
    if (known) return known;
    const text = this.#query(relation);
    const name = `"step ${this.#parts.length + 1} of the recipe"`;
    this.#parts.push(`${name} AS (${text})`);
    this.#known.set(relation, name);
    return name;
  }

  #query(relation: Exclude<Relation, { kind: 'table' }>): string {
    if (relation.kind === 'set') {
      const word = `${relation.op.toUpperCase()}${relation.all ? ' ALL' : ''}`;
      return relation.inputs.map((input) => `SELECT * FROM ${this.relation(input)}`).join(` ${word} `);
    }
    if (relation.kind === 'join') {
      const [left, right] = [this.relation(relation.left), this.relation(relation.right)];
      const on = relation.on.map(
        (pair) => `"left".${quoteIdentifier(pair.left)} = "right".${quoteIdentifier(pair.right)}`,
      );
      const outputs = this.#outputs(relation.outputs);
      return `SELECT ${outputs} FROM ${left} AS "left" ${relation.type.toUpperCase()} JOIN ${right} AS "right" ON ${on.join(' AND ')}`;
    }
    const { where, groupBy, keepFirstOf, orderBy, orderByShare, limit } = relation;
    const from = this.relation(relation.from);
    const parts = [`SELECT ${this.#outputs(relation.outputs)} FROM ${from} AS "input"`];
    if (where) parts.push(`WHERE ${this.expression(where)}`);
    if (groupBy && groupBy.length > 0) parts.push(`GROUP BY ${groupBy.map(quoteIdentifier).join(', ')}`);
    if (keepFirstOf) {
      const { keys, orderBy: order, ties = [], others } = keepFirstOf;
      parts.push(`QUALIFY row_number() OVER (${this.#over(keys, [...order, ...ties])}) ${others ? '>' : '='} 1`);
    }
    if (orderBy) parts.push(`ORDER BY ${orderBy.map(sorting).join(', ')}`);
    if (orderByShare) parts.push(`ORDER BY ${this.#share(orderByShare)}`);
    if (limit) parts.push(`LIMIT ${limit.count} OFFSET ${limit.offset}`);
    return parts.join(' ');
  }

  #share({ columns, seed }: { columns: string[]; seed: number }): string {
    return FUNCTIONS.shareOf(...columns.map(quoteIdentifier), this.#bound(seed));
  }

  #outputs(outputs: Extract<Relation, { kind: 'join' }>['outputs']): string {
    return outputs.map(({ name, value }) => `${this.expression(value)} AS ${quoteIdentifier(name)}`).join(', ');
  }

  #over(partitionBy: readonly string[], orderBy: readonly Sorting[]): string {
    const parts = [];
    if (partitionBy.length > 0) parts.push(`PARTITION BY ${partitionBy.map(quoteIdentifier).join(', ')}`);
    if (orderBy.length > 0) parts.push(`ORDER BY ${orderBy.map(sorting).join(', ')}`);
    return parts.join(' ');
  }

  #bound(value: EngineParameter): string {
    return `$${this.params.push(value)}`;
  }

  expression(expression: Expression): string {
    switch (expression.kind) {
      case 'column':
        return `${expression.of ? `"${expression.of}".` : ''}${quoteIdentifier(expression.name)}`;
      case 'value':
        return this.#bound(expression.value);
      case 'author': {
        const { sql, params } = this.#bindText(expression.text, this.params.length + 1);
        this.params.push(...params);
        return `(${sql}\n)`;
      }
      case 'call':
        return FUNCTIONS[expression.fn](...expression.args.map((each) => this.expression(each)));
      case 'cast': {
        const value = this.expression(expression.value);
        return `${expression.lenient ? 'TRY_CAST' : 'CAST'}(${value} AS ${engineTypeOf(expression.type)})`;
      }
      case 'case': {
        const otherwise = expression.otherwise ? ` ELSE ${this.expression(expression.otherwise)}` : '';
        return `CASE WHEN ${this.expression(expression.when)} THEN ${this.expression(expression.result)}${otherwise} END`;
      }
      case 'aggregate': {
        const { fn, of, where } = expression;
        const inner = of ? this.expression(of) : '*';
        const text = AGGREGATE[fn]?.(inner) ?? `${fn}(${inner})`;
        return where ? `${text} FILTER (WHERE ${this.expression(where)})` : text;
      }
      case 'window': {
        const { fn, args, partitionBy, orderBy, frame } = expression;
        const inner = args.map((each) => this.expression(each)).join(', ');
        const nulls = frame === 'before' || frame === 'after' ? ' IGNORE NULLS' : '';
        return `${fn}(${inner}${nulls}) OVER (${this.#over(partitionBy, orderBy)}${frame ? FRAMES[frame] : ''})`;
      }
    }
  }
}

function sorting({ column, direction }: Sorting): string {
  return `${quoteIdentifier(column)} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`;
}
