import { quoteIdentifier } from '../duckdb/quoting.ts';
import { call, column, convert, isNull, logic, nestingOf, type Typed, type TypedCall } from '../expressions/index.ts';
import { indent, type Lines, select } from './lines.ts';
import { EXISTS } from './names.ts';

const VALUE = 'v';
const PLACE = 'place';
const keyAt = (index: number) => `k${index + 1}`;

/**
 * Computes an aggregate of aggregates: the measure inside for each entity of a group, or for each time of each entity,
 * and from these the value of the group. A group keeps its place among the results if it has no such value.
 */
export class NestedParts {
  /** The value of a group, over the columns of `from`. */
  readonly value: Typed;
  readonly #measure: Typed;
  readonly #keys: readonly Typed[];
  readonly #time: 'first' | 'last' | 'each' | undefined;
  readonly #groups: readonly string[];
  readonly #hasStrangers: boolean;

  /** `hasStrangers`: whether some of the joined rows belong to other tables than that of the measure. */
  constructor(nested: TypedCall, { groups, hasStrangers }: { groups: readonly string[]; hasStrangers: boolean }) {
    const [measure, ...keys] = nested.args as [Typed, ...Typed[]];
    const { by, time } = nestingOf(nested)!;
    this.#measure = measure;
    this.#keys = keys;
    this.#time = time;
    this.#groups = groups;
    this.#hasStrangers = hasStrangers;
    const input = column(VALUE, time === 'each' ? 'number' : measure.type);
    const conditions = [
      ...this.#entities.map((name, index) => isNull(column(name, this.#typeOfEntity(index)), true)),
      ...(hasStrangers ? [column(EXISTS, 'boolean')] : []),
      ...(time === 'first' || time === 'last' ? [column(PLACE, 'boolean')] : []),
      ...(by === 'COUNT' ? [input] : []),
    ];
    const aggregate = call(by, argumentsOf(by, input), nested.type);
    this.value = conditions.length > 0 ? { ...aggregate, filter: logic('and', conditions) } : aggregate;
  }

  /** `rows` has the dimensions and what the expressions read, which `sql` writes. */
  from(rows: Lines, sql: (tree: Typed) => string): Lines {
    const keys = this.#keys.map((key, index) => `${sql(key)} AS ${keyAt(index)}`);
    const marks = this.#marks(`bool_or(${quoteIdentifier(EXISTS)})`);
    const groups = [...this.#groups, ...this.#keys.map((_, index) => keyAt(index))];
    const parts = [
      ...select([...this.#groups, ...keys, ...marks, `${sql(this.#measure)} AS ${VALUE}`]),
      'FROM (',
      ...indent(rows),
      ') AS matching',
      `GROUP BY ${groups.join(', ')}`,
    ];
    if (this.#time === undefined) return parts;
    return this.#time === 'each' ? this.#means(parts) : this.#placed(parts, this.#time);
  }

  /** Marks the time of each entity whose value counts: the first or last that has one. */
  #placed(parts: Lines, which: 'first' | 'last'): Lines {
    const partition = [...this.#groups, ...this.#entities];
    const by = partition.length > 0 ? `PARTITION BY ${partition.join(', ')} ` : '';
    const isEmpty = `${VALUE} IS NULL OR ${keyAt(0)} IS NULL`;
    const order = `${isEmpty}, ${keyAt(0)} ${which === 'last' ? 'DESC' : 'ASC'}`;
    const isPlace = `${keyAt(0)} IS NOT NULL AND row_number() OVER (${by}ORDER BY ${order}) = 1`;
    return [...select(['*', `${isPlace} AS ${PLACE}`]), 'FROM (', ...indent(parts), ') AS times'];
  }

  /** The mean of each entity over its times. */
  #means(parts: Lines): Lines {
    const groups = [...this.#groups, ...this.#entities];
    const marks = this.#marks(`bool_or(${quoteIdentifier(EXISTS)})`);
    const mean = `avg(CAST(${VALUE} AS double precision)) FILTER (WHERE ${keyAt(0)} IS NOT NULL) AS ${VALUE}`;
    return [
      ...select([...groups, ...marks, mean]),
      'FROM (',
      ...indent(parts),
      ') AS times',
      ...(groups.length > 0 ? [`GROUP BY ${groups.join(', ')}`] : []),
    ];
  }

  #marks(sql: string): string[] {
    return this.#hasStrangers ? [`${sql} AS ${quoteIdentifier(EXISTS)}`] : [];
  }

  /** The columns of the entities, which come after the time. */
  get #entities(): string[] {
    const first = this.#time === undefined ? 0 : 1;
    return this.#keys.slice(first).map((_, index) => keyAt(first + index));
  }

  #typeOfEntity(index: number): Typed['type'] {
    return this.#keys[(this.#time === undefined ? 0 : 1) + index]!.type;
  }
}

function argumentsOf(by: string, input: Typed): Typed[] {
  if (by === 'COUNT') return [];
  return [by === 'MEDIAN' && input.type !== 'number' ? convert(input, 'number') : input];
}
