import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { Leg } from './legs.ts';
import type { JoinType, ModelField, SemanticModel } from './model.ts';
import type { Aggregate, ColumnSql, Question } from './question.ts';

/** How the tables and columns of a model are read. */
export interface Source {
  /** What stands in a FROM clause for the table: a name, or a query in parentheses. */
  relation(tableId: string): string;
  /** The column of a field. */
  column(fieldId: string): string;
}

/** Lines of SQL. A line may be longer than one of the text where a literal contains a line break, so only lines are indented. */
type Lines = readonly string[];

/** Numbers the rows of the home table, where each has to be counted once. */
const ROW = '"#row"';
/** How many of the leading dimensions a row of the reply has values of: all, or fewer in totals. */
const LEVEL = '"#level"';

const JOINS: Record<JoinType, string> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
};

/**
 * The statement that answers a question: a common table expression for each leg, and a SELECT over them. The columns of the reply
 * are the dimensions and the measures under their labels; where there are totals, `#level` before them says of how many leading
 * dimensions a row has values, and totals come first. The text depends on nothing but the arguments. Nulls come last, and rows that the sort leaves equal
 * are in the order of their dimensions.
 */
export function renderQuestion(model: SemanticModel, source: Source, question: Question, legs: readonly Leg[]): string {
  const names = new Names(question, legs);
  const renderer = new LegRenderer(model, source, question, names);
  const parts = legs.map((leg, index) => ({ name: legName(index), lines: renderer.render(leg) }));
  if (legs.length > 1) parts.push({ name: 'combined', lines: combined(question, legs, names) });
  const expressions = parts.map(({ name, lines }) => [`${name} AS (`, ...indent(lines), ')']);
  return ['WITH', ...indent(commaSeparated(expressions)), ...reply(question, names, parts.at(-1)!.name)].join('\n');
}

const legName = (index: number) => `leg_${index + 1}`;

class Names {
  readonly dimensions: readonly string[];
  readonly #aggregates: ReadonlyMap<Aggregate, string>;

  constructor({ dimensions }: Question, legs: readonly Leg[]) {
    this.dimensions = dimensions.map((_, index) => `d${index + 1}`);
    const aggregates = legs.flatMap((leg) => leg.aggregates);
    this.#aggregates = new Map(aggregates.map((aggregate, index) => [aggregate, `a${index + 1}`]));
  }

  of(aggregate: Aggregate): string {
    return this.#aggregates.get(aggregate)!;
  }
}

class LegRenderer {
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, ModelField>;
  readonly #source: Source;
  readonly #question: Question;
  readonly #names: Names;

  constructor(model: SemanticModel, source: Source, question: Question, names: Names) {
    this.#aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
    this.#fields = new Map(model.fields.map((field) => [field.id, field]));
    this.#source = source;
    this.#question = question;
    this.#names = names;
  }

  /**
   * Aggregates the joined rows. Where joining repeats rows of the home table, each of them is kept once for each group; a total
   * has other groups, so it is computed by itself.
   */
  render(leg: Leg): Lines {
    const { dimensions, totals } = this.#question;
    if (!leg.repeatsRows) return this.#aggregated(leg, dimensions.length, groupBy(this.#names.dimensions, totals));
    return levelsOf(this.#question).flatMap((level, index) => [
      ...(index > 0 ? ['UNION ALL'] : []),
      ...this.#aggregated(leg, level, groupBy(this.#names.dimensions.slice(0, level), 'none')),
    ]);
  }

  /** Grouped by the leading dimensions, as many as `shown`. */
  #aggregated(leg: Leg, shown: number, grouping: Lines): Lines {
    const { totals } = this.#question;
    const named = this.#names.dimensions.slice(0, shown);
    const level = leg.repeatsRows ? `${shown}` : levelOf(named);
    const exists = leg.addsGroups ? `${ROW} IS NOT NULL` : undefined;
    return [
      ...select([
        ...(totals === 'none' ? [] : [`${level} AS ${LEVEL}`]),
        ...this.#names.dimensions.map((name, index) => (index < shown ? name : `NULL AS ${name}`)),
        ...leg.aggregates.map((aggregate) => `${aggregate.sql(this.#input, exists)} AS ${this.#names.of(aggregate)}`),
      ]),
      'FROM (',
      ...indent(this.#rows(leg, shown)),
      ') AS joined',
      ...grouping,
    ];
  }

  #rows(leg: Leg, shown: number): Lines {
    const dimensions = this.#question.dimensions.slice(0, shown);
    const inputs = new Set(leg.aggregates.flatMap(({ fields }) => fields));
    const numbered = leg.repeatsRows || leg.addsGroups;
    return [
      ...select(
        [
          ...(numbered ? [`${this.#alias(leg.home)}.${ROW}`] : []),
          ...dimensions.map(
            ({ expression }, index) => `${expression.sql(this.#column)} AS ${this.#names.dimensions[index]}`,
          ),
          ...[...inputs].map((field) => `${this.#column(field)} AS ${this.#input(field)}`),
        ],
        leg.repeatsRows,
      ),
      ...this.#from(leg, numbered),
    ];
  }

  #from(leg: Leg, numbered: boolean): Lines {
    const home = this.#source.relation(leg.home);
    const relation = numbered ? `(SELECT *, row_number() OVER () AS ${ROW} FROM ${home} AS unnumbered)` : home;
    return [
      `FROM ${relation} AS ${this.#alias(leg.home)}`,
      ...leg.hops.map(({ joinType, from, to }) => {
        const table = `${this.#source.relation(to.tableId)} AS ${this.#alias(to.tableId)}`;
        return `${JOINS[joinType]} ${table} ON ${this.#column(from.fieldId)} = ${this.#column(to.fieldId)}`;
      }),
      ...where(this.#question.filters.map((filter) => filter.sql(this.#column))),
    ];
  }

  readonly #column: ColumnSql = (fieldId) => {
    const { tableId } = this.#fields.get(fieldId)!;
    return `${this.#alias(tableId)}.${this.#source.column(fieldId)}`;
  };

  /** A field among the joined rows. */
  readonly #input: ColumnSql = (fieldId) => {
    const { tableId, name } = this.#fields.get(fieldId)!;
    return quoteIdentifier(`${this.#aliases.get(tableId)}.${name}`);
  };

  #alias(tableId: string): string {
    return quoteIdentifier(this.#aliases.get(tableId)!);
  }
}

/** Every group of any leg once, with the values of all legs. */
function combined(question: Question, legs: readonly Leg[], names: Names): Lines {
  const keys = [...(question.totals === 'none' ? [] : [LEVEL]), ...names.dimensions];
  const all = legs.flatMap((leg, index) => leg.aggregates.map((aggregate) => ({ aggregate, leg: legName(index) })));
  const branches = legs.flatMap((leg, index) => {
    const values = all.map(({ aggregate, leg: owner }) => {
      const name = names.of(aggregate);
      // A null of the type of the value: some databases take plain nulls for texts.
      return leg.aggregates.includes(aggregate) ? name : `(SELECT ${name} FROM ${owner} WHERE false) AS ${name}`;
    });
    return [...(index > 0 ? ['UNION ALL'] : []), ...select([...keys, ...values]), `FROM ${legName(index)}`];
  });
  const values = all.map(({ aggregate }) => {
    const name = names.of(aggregate);
    const value = `${aggregate.isBoolean ? 'bool_or' : 'max'}(${name})`;
    return `${aggregate.isZeroWithoutRows ? `coalesce(${value}, 0)` : value} AS ${name}`;
  });
  return [
    ...select([...keys, ...values]),
    'FROM (',
    ...indent(branches),
    ') AS legs',
    ...(keys.length > 0 ? [`GROUP BY ${keys.join(', ')}`] : []),
  ];
}

function reply(question: Question, names: Names, from: string): Lines {
  const { dimensions, measures, totals, limit } = question;
  const values = [
    ...names.dimensions,
    ...measures.map(({ expression }) => expression.sql(expression.aggregates.map((each) => names.of(each)))),
  ];
  const labels = [...dimensions, ...measures].map(({ label }) => quoteIdentifier(label));
  const level = totals === 'none' ? [] : [LEVEL];
  const order = [
    ...level,
    ...question.sort.map(({ position, descending }) => `${values[position]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...names.dimensions.map((name) => `${name} ASC NULLS LAST`),
  ];
  return [
    ...select([...level, ...values.map((sql, index) => `${sql} AS ${labels[index]}`)]),
    `FROM ${from}`,
    ...where(question.resultFilters.map((filter) => filter.sql(values))),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${totals === 'none' ? limit : limit + 1}`]),
  ];
}

/** The numbers of leading dimensions that rows of the reply have values of. */
function levelsOf({ dimensions, totals }: Question): number[] {
  const all = dimensions.length;
  if (totals === 'none' || all === 0) return [all];
  return totals === 'grand' ? [all, 0] : Array.from({ length: all + 1 }, (_, index) => all - index);
}

function groupBy(names: readonly string[], totals: Question['totals']): Lines {
  if (names.length === 0) return [];
  const all = names.join(', ');
  if (totals === 'none') return [`GROUP BY ${all}`];
  return [totals === 'all' ? `GROUP BY ROLLUP (${all})` : `GROUP BY GROUPING SETS ((${all}), ())`];
}

/** Totals leave out the last dimensions first, so the number of those that are there says which ones. */
function levelOf(names: readonly string[]): string {
  return [`${names.length}`, ...names.map((name) => `GROUPING(${name})`)].join(' - ');
}

function select(columns: readonly string[], distinct = false): Lines {
  const word = distinct ? 'SELECT DISTINCT' : 'SELECT';
  return columns.length > 0 ? [word, ...indent(commaSeparated(columns.map((column) => [column])))] : [`${word} 1`];
}

const where = (conditions: readonly string[]): Lines =>
  conditions.map((sql, index) => `${index === 0 ? 'WHERE' : '  AND'} (${sql})`);

const commaSeparated = (items: readonly Lines[]): Lines =>
  items.flatMap((lines, index) => (index < items.length - 1 ? [...lines.slice(0, -1), `${lines.at(-1)},`] : lines));

const indent = (lines: Lines): Lines => lines.map((line) => `  ${line}`);
