import { quoteIdentifier } from '../duckdb/quoting.ts';
import { readsOf, type SqlColumn, type Typed, type TypedCall } from '../expressions/index.ts';
import type { Leg, LegScope } from './legs.ts';
import { indent, type Lines, select, unionAll, where } from './lines.ts';
import type { JoinType, ModelField, SemanticModel } from './model.ts';
import { EXISTS, LEVEL, type Names, ROW } from './names.ts';
import type { Question } from './question.ts';
import { and, column, integer, replaceParts, unitCall } from './trees.ts';
import { columnSql, type Source, type Writer } from './writer.ts';

const JOINS: Record<JoinType, string> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
};

export interface LegContext {
  model: SemanticModel;
  source: Source;
  question: Question;
  names: Names;
  writer: Writer;
}

/** Writes the statements of legs. */
export class LegRenderer {
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, ModelField>;
  readonly #context: LegContext;

  constructor(context: LegContext) {
    const { model } = context;
    this.#aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
    this.#fields = new Map(model.fields.map((field) => [field.id, field]));
    this.#context = context;
  }

  /**
   * Aggregates the joined rows. Where joining repeats rows of the home table, each of them is kept once for each group; a total
   * has other groups, so it is computed by itself.
   */
  render(leg: Leg): Lines {
    const { names, question } = this.#context;
    const { dimensions, totals } = question;
    if (leg.scope.kind === 'total') return this.#aggregated(leg, 0, []);
    if (!leg.repeatsRows) return this.#aggregated(leg, dimensions.length, groupBy(names.dimensions, totals));
    return unionAll(
      levelsOf(question).map((level) =>
        this.#aggregated(leg, level, groupBy(names.dimensions.slice(0, level), 'none')),
      ),
    );
  }

  /** Grouped by the leading dimensions, as many as `shown`. */
  #aggregated(leg: Leg, shown: number, grouping: Lines): Lines {
    const { names, question } = this.#context;
    const level = leg.repeatsRows ? `${shown}` : levelOf(names.dimensions.slice(0, shown));
    const values = leg.aggregates.map(
      (aggregate) => `${this.#aggregate(aggregate, leg)} AS ${names.of(aggregate, leg.scope)}`,
    );
    const keys = [
      ...(question.totals === 'none' ? [] : [`${level} AS ${LEVEL}`]),
      ...names.dimensions.map((name, index) => (index < shown ? name : `NULL AS ${name}`)),
    ];
    return [
      ...select(leg.scope.kind === 'total' ? values : [...keys, ...values]),
      'FROM (',
      ...indent(this.#rows(leg, shown)),
      ') AS joined',
      ...grouping,
    ];
  }

  /** Rows that an outer join added for another table are none of the home table. */
  #aggregate(aggregate: TypedCall, leg: Leg): string {
    const exists = column(EXISTS, 'boolean');
    const filter = aggregate.filter ? and([aggregate.filter, exists]) : exists;
    return this.#context.writer.sql(leg.addsGroups ? { ...aggregate, filter } : aggregate, (field) =>
      field === EXISTS ? { column: EXISTS } : this.#input(field),
    );
  }

  #rows(leg: Leg, shown: number): Lines {
    const { names, question } = this.#context;
    const dimensions = question.dimensions.slice(0, shown);
    const inputs = new Set(leg.aggregates.flatMap((aggregate) => readsOf(aggregate).fields));
    const row = columnSql({ table: this.#aliases.get(leg.home)!, column: ROW });
    return [
      ...select(
        [
          ...(leg.repeatsRows ? [row] : []),
          ...(leg.addsGroups ? [`${row} IS NOT NULL AS ${quoteIdentifier(EXISTS)}`] : []),
          ...dimensions.map(({ tree }, index) => `${this.#moved(tree, leg.scope)} AS ${names.dimensions[index]}`),
          ...[...inputs].map((field) => `${columnSql(this.#column(field))} AS ${columnSql(this.#input(field))}`),
        ],
        leg.repeatsRows,
      ),
      ...this.#from(leg),
    ];
  }

  #from(leg: Leg): Lines {
    const { source, question } = this.#context;
    const relation = source.relation(leg.home);
    const numbered = `(SELECT *, row_number() OVER () AS ${quoteIdentifier(ROW)} FROM ${relation} AS unnumbered)`;
    return [
      `FROM ${leg.repeatsRows || leg.addsGroups ? numbered : relation} AS ${this.#alias(leg.home)}`,
      ...leg.hops.map(({ joinType, from, to }) => {
        const table = `${source.relation(to.tableId)} AS ${this.#alias(to.tableId)}`;
        const [left, right] = [from, to].map(({ fieldId }) => columnSql(this.#column(fieldId)));
        return `${JOINS[joinType]} ${table} ON ${left} = ${right}`;
      }),
      ...where(question.filters.map((filter) => this.#moved(filter, leg.scope))),
    ];
  }

  /** To see an earlier period in the place of the present one, the time of all rows is moved, also for filters. */
  #moved(tree: Typed, scope: LegScope): string {
    const { question, writer } = this.#context;
    const { time } = question;
    const isPrior = scope.kind === 'prior' && time !== undefined;
    const moved = isPrior
      ? replaceParts(tree, (node) =>
          node.kind === 'field' && node.field === time.fieldId
            ? unitCall('DATE_ADD', scope.grain, node.type, [integer(scope.count), node])
            : undefined,
        )
      : tree;
    return writer.sql(moved, (field) => this.#column(field));
  }

  #column(fieldId: string): SqlColumn {
    const { tableId } = this.#fields.get(fieldId)!;
    return { ...this.#context.source.column(fieldId), table: this.#aliases.get(tableId)! };
  }

  /** A field among the joined rows. */
  #input(fieldId: string): SqlColumn {
    const { tableId, name } = this.#fields.get(fieldId)!;
    return { ...this.#context.source.column(fieldId), column: `${this.#aliases.get(tableId)}.${name}` };
  }

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
