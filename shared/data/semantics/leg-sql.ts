import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { Leg, LegScope } from './legs.ts';
import { indent, type Lines, select, unionAll, where } from './lines.ts';
import type { JoinType, ModelField, SemanticModel } from './model.ts';
import { LEVEL, type Names, ROW } from './names.ts';
import type { ColumnSql, Question, TimeSql } from './question.ts';

/** How the tables and columns of a model are read. */
export interface Source {
  /** What stands in a FROM clause for the table: a name, or a query in parentheses. */
  relation(tableId: string): string;
  /** The column of a field. */
  column(fieldId: string): string;
  time: TimeSql;
}

const JOINS: Record<JoinType, string> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
};

export class LegRenderer {
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
    if (leg.scope.kind === 'total') return this.#aggregated(leg, 0, []);
    if (!leg.repeatsRows) return this.#aggregated(leg, dimensions.length, groupBy(this.#names.dimensions, totals));
    return unionAll(
      levelsOf(this.#question).map((level) =>
        this.#aggregated(leg, level, groupBy(this.#names.dimensions.slice(0, level), 'none')),
      ),
    );
  }

  /** Grouped by the leading dimensions, as many as `shown`. */
  #aggregated(leg: Leg, shown: number, grouping: Lines): Lines {
    const { totals } = this.#question;
    const named = this.#names.dimensions.slice(0, shown);
    const level = leg.repeatsRows ? `${shown}` : levelOf(named);
    const exists = leg.addsGroups ? `${ROW} IS NOT NULL` : undefined;
    const values = leg.aggregates.map(
      (aggregate) => `${aggregate.sql(this.#input, exists)} AS ${this.#names.of(aggregate, leg.scope)}`,
    );
    const keys = [
      ...(totals === 'none' ? [] : [`${level} AS ${LEVEL}`]),
      ...this.#names.dimensions.map((name, index) => (index < shown ? name : `NULL AS ${name}`)),
    ];
    return [
      ...select(leg.scope.kind === 'total' ? values : [...keys, ...values]),
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
    const shifted = this.#shifted(leg.scope);
    return [
      ...select(
        [
          ...(numbered ? [`${this.#alias(leg.home)}.${ROW}`] : []),
          ...dimensions.map(
            ({ expression }, index) => `${expression.sql(shifted)} AS ${this.#names.dimensions[index]}`,
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
      ...where(this.#question.filters.map((filter) => filter.sql(this.#shifted(leg.scope)))),
    ];
  }

  /** To see an earlier period in the place of the present one, the time of all rows is moved; so filters move too. */
  #shifted(scope: LegScope): ColumnSql {
    const { time } = this.#question;
    if (scope.kind !== 'prior' || !time) return this.#column;
    return (fieldId) => {
      const sql = this.#column(fieldId);
      return fieldId === time.fieldId ? this.#source.time.later(sql, scope.grain, scope.count) : sql;
    };
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
