import { quoteIdentifier } from '../duckdb/quoting.ts';
import {
  column,
  isAggregate,
  logic,
  nestingOf,
  readsOf,
  type SqlColumn,
  type Typed,
  type TypedCall,
} from '../expressions/index.ts';
import { partsOf } from './aggregate-parts.ts';
import { FromRenderer } from './from-sql.ts';
import type { Scope } from './leaves.ts';
import type { Leg } from './legs.ts';
import { indent, type Lines, select, unionAll, where } from './lines.ts';
import type { SemanticModel } from './model.ts';
import { movedTime, timeField } from './moved-time.ts';
import { EXISTS, LEVEL, type Names, ROW } from './names.ts';
import { NestedParts } from './nested-parts.ts';
import type { Question, TimeDimension } from './question.ts';
import type { Restrictions } from './restrictions.ts';
import { rollupRows, rollupValue } from './rollup-sql.ts';
import type { RollupUse } from './rollup-table.ts';
import { spread, withoutBeginning } from './running.ts';
import { combinedParts, isRunning, type Reduction, reductionOf } from './running-scope.ts';
import { replaceParts } from './trees.ts';
import { columnSql, type Source, type Writer } from './writer.ts';

export interface LegContext {
  model: SemanticModel;
  source: Source;
  restrictions: Restrictions;
  question: Question;
  names: Names;
  writer: Writer;
  /** The legs that rollups answer. */
  rollups: ReadonlyMap<Leg, RollupUse>;
}

/** Writes the statements of legs. */
export class LegRenderer {
  readonly #tables: FromRenderer;
  readonly #context: LegContext;

  constructor(context: LegContext, legs: readonly Leg[]) {
    const { dimensions, filters } = context.question;
    const trees = [...dimensions.map(({ tree }) => tree), ...filters, ...legs.flatMap(({ aggregates }) => aggregates)];
    this.#context = context;
    this.#tables = new FromRenderer({ ...context, fields: fieldsOf(trees) }, legs);
  }

  /**
   * Aggregates the joined rows. Where joining repeats rows of the home table, each of them is kept once for each group;
   * a total has other groups, so it is computed by itself. So is a total of aggregates of aggregates: its last day is
   * not that of its parts; and of running values, which have periods only where there is a time.
   */
  render(leg: Leg): Lines {
    const { question } = this.#context;
    const { dimensions, totals } = question;
    if (leg.scope.kind === 'total') return this.#aggregated(leg, 0, 'none');
    if (leg.scope.kind === 'parent') return this.#parents(leg);
    if (!leg.repeatsRows && !nestedIn(leg) && !isRunning(leg.scope))
      return this.#aggregated(leg, dimensions.length, totals);
    const levels = levelsOf(question).filter((level) => leg.scope.kind !== 'trailing' || this.#hasTime(level));
    return unionAll(levels.map((level) => this.#aggregated(leg, level, 'none')));
  }

  /** The beginning of the first period of which the table with the time has a row, whatever the filters say. */
  first(time: TimeDimension): Lines {
    const { question, model, writer } = this.#context;
    const field = timeField(time, question.dimensions);
    const home = model.fields.find(({ id }) => id === time.fieldId)!.tableId;
    const at = writer.sql(field, (id) => this.#tables.column(id));
    const beginning = writer.beginning('earliest', time.grain, field.type);
    return [
      ...select([`${beginning} AS first_period`]),
      'FROM (',
      ...indent([
        ...select([`min(${at}) AS earliest`]),
        ...this.#tables.from({ home, hops: [], repeatsRows: false, addsGroups: false }),
      ]),
      ') AS times',
    ];
  }

  /** The parents of the groups of each level. The total over all rows has none. */
  #parents(leg: Leg): Lines {
    const levels = levelsOf(this.#context.question).filter((level) => level > 0);
    if (levels.length === 0) return [...this.#aggregated(leg, 0, 'none'), 'LIMIT 0'];
    return unionAll(levels.map((level) => this.#aggregated(leg, level - 1, 'none')));
  }

  /** Whether the dimension of time is among the leading ones. */
  #hasTime(shown: number): boolean {
    const { time } = this.#context.question;
    return time !== undefined && shown > time.position;
  }

  /** Grouped by the leading dimensions, as many as `shown`. */
  #aggregated(leg: Leg, shown: number, totals: Question['totals']): Lines {
    const { names, question } = this.#context;
    const groups = names.dimensions.slice(0, shown);
    const inputs = inputsOf(leg);
    const rollup = this.#context.rollups.get(leg);
    const nested = nestedIn(leg);
    const parts = nested && new NestedParts(nested, { groups, hasStrangers: leg.addsGroups });
    const rowSql = (tree: Typed) => this.#ofRows(tree, leg, inputs);
    const columnOf = (field: string) => ({ column: field });
    const isReduced = this.#reduction(leg, shown) === 'parts';
    const valueSql = (aggregate: TypedCall) => {
      if (isReduced)
        return this.#context.writer.sql(combinedParts(aggregate, this.#partNames(aggregate, leg)), columnOf);
      if (parts) return this.#context.writer.sql(parts.value, columnOf);
      return rollup ? rollupValue(rollup.values.get(aggregate)!) : rowSql(aggregate);
    };
    const isParent = leg.scope.kind === 'parent';
    const level = isParent
      ? `${shown + 1}`
      : leg.repeatsRows || parts || isRunning(leg.scope)
        ? `${shown}`
        : levelOf(groups);
    const values = leg.aggregates.map((aggregate) => `${valueSql(aggregate)} AS ${names.of(aggregate, leg.scope)}`);
    const keys = [
      ...(question.totals === 'none' ? [] : [`${level} AS ${LEVEL}`]),
      ...names.dimensions.map((name, index) => (index < shown ? name : `NULL AS ${name}`)),
    ];
    return [
      ...select(leg.scope.kind === 'total' ? values : [...keys, ...values]),
      'FROM (',
      ...indent(
        parts
          ? parts.from(this.#counted(leg, shown, inputs), rowSql)
          : rollup
            ? rollupRows(rollup, shown, this.#context)
            : this.#counted(leg, shown, inputs),
      ),
      ') AS joined',
      ...groupBy(groups, totals, values.length > 0),
    ];
  }

  /**
   * An expression over the joined rows. Those that an outer join added for another table do not belong to the home
   * table, so aggregates leave them out.
   */
  #ofRows(tree: Typed, leg: Leg, inputs: Inputs): string {
    const exists = column(EXISTS, 'boolean');
    const ofHome = (node: Typed) =>
      node.kind === 'call' && isAggregate(node)
        ? { ...node, filter: node.filter ? logic('and', [node.filter, exists]) : exists }
        : undefined;
    return this.#context.writer.sql(leg.addsGroups ? replaceParts(tree, ofHome) : tree, (field) =>
      field === EXISTS ? { column: EXISTS } : this.#input(field, inputs),
    );
  }

  /** The rows that count in each group: for running values, those of other periods too. */
  #counted(leg: Leg, shown: number, inputs: Inputs): Lines {
    const reduction = this.#reduction(leg, shown);
    const { time } = this.#context.question;
    const { scope } = leg;
    if (reduction === undefined || !time || !isRunning(scope)) return this.#rows(leg, shown, inputs);
    const marks = [
      ...(leg.repeatsRows ? [quoteIdentifier(ROW)] : []),
      ...(leg.addsGroups ? [quoteIdentifier(EXISTS)] : []),
    ];
    const isReduced = reduction === 'parts';
    const columns = isReduced
      ? leg.aggregates.flatMap((aggregate) => this.#partNames(aggregate, leg))
      : [...marks, ...inputs.values()];
    const rows = isReduced
      ? this.#parts(leg, shown, inputs)
      : this.#rows(leg, shown, inputs, leg.repeatsRows || reduction === 'distinct');
    return spread(rows, { ...this.#context, scope, time, columns, shown, isDistinct: leg.repeatsRows });
  }

  /**
   * How the rows of a running value are reduced; undefined for other values, and for totals over all periods. A row
   * that joining repeats may have several times, and counts once in each period.
   */
  #reduction(leg: Leg, shown: number): Reduction | undefined {
    if (!isRunning(leg.scope) || !this.#hasTime(shown)) return undefined;
    return leg.repeatsRows ? 'none' : reductionOf(leg.aggregates[0]!);
  }

  /** The aggregates by period of which running values are made. */
  #parts(leg: Leg, shown: number, inputs: Inputs): Lines {
    const groups = this.#context.names.dimensions.slice(0, shown);
    const parts = leg.aggregates.flatMap((aggregate) => {
      const names = this.#partNames(aggregate, leg);
      return partsOf(aggregate).map((part, index) => `${this.#ofRows(part, leg, inputs)} AS ${names[index]}`);
    });
    return [
      ...select([...groups, ...parts]),
      'FROM (',
      ...indent(this.#rows(leg, shown, inputs)),
      ') AS joined',
      `GROUP BY ${groups.join(', ')}`,
    ];
  }

  #partNames(aggregate: TypedCall, { scope }: Leg): string[] {
    const name = this.#context.names.of(aggregate, scope);
    return partsOf(aggregate).map((_, index) => `${name}_${index + 1}`);
  }

  #rows(leg: Leg, shown: number, inputs: Inputs, isDistinct = leg.repeatsRows): Lines {
    const { names, question } = this.#context;
    const dimensions = question.dimensions.slice(0, shown);
    const row = columnSql({ table: this.#tables.nameOf(leg.home), column: this.#tables.row });
    const sql = (tree: Typed) => this.#context.writer.sql(tree, (field) => this.#tables.column(field));
    const moved = movedIn(question, leg.scope);
    const filters =
      leg.scope.kind === 'trailing' && question.time
        ? withoutBeginning(question.filters, question.time, question.dimensions)
        : question.filters.map((filter) => (moved ? moved.condition(filter) : filter));
    return [
      ...select(
        [
          ...(leg.repeatsRows ? [`${row} AS ${quoteIdentifier(ROW)}`] : []),
          ...(leg.addsGroups ? [`${row} IS NOT NULL AS ${quoteIdentifier(EXISTS)}`] : []),
          ...dimensions.map(
            ({ tree }, index) => `${sql(moved ? moved.dimension(tree) : tree)} AS ${names.dimensions[index]}`,
          ),
          ...[...inputs].map(([field, name]) => `${columnSql(this.#tables.column(field))} AS ${name}`),
        ],
        isDistinct,
      ),
      ...this.#tables.from(leg),
      ...where([...this.#tables.conditions(leg), ...[...(moved?.conditions ?? []), ...filters].map(sql)]),
    ];
  }

  /** A field among the joined rows. */
  #input(fieldId: string, inputs: Inputs): SqlColumn {
    return { ...this.#context.source.column(fieldId), column: inputs.get(fieldId)! };
  }
}

/** The aggregate of aggregates of a leg, of which it has no other kind. */
const nestedIn = ({ aggregates: [first] }: Leg): TypedCall | undefined =>
  first && nestingOf(first) ? first : undefined;

const movedIn = (question: Question, scope: Scope) =>
  scope.kind === 'prior' && question.time ? movedTime({ ...question, time: question.time }, scope) : undefined;

/** What the joined rows call the fields that the aggregates of a leg read. */
type Inputs = ReadonlyMap<string, string>;

const inputsOf = ({ aggregates }: Leg): Inputs =>
  new Map([...fieldsOf(aggregates)].map((field, index) => [field, `i${index + 1}`]));

const fieldsOf = (trees: readonly Typed[]) => new Set(trees.flatMap((tree) => readsOf(tree).fields));

/** The numbers of leading dimensions that rows of the reply have values of. */
function levelsOf({ dimensions, totals }: Question): number[] {
  const all = dimensions.length;
  if (totals === 'none' || all === 0) return [all];
  return totals === 'grand' ? [all, 0] : Array.from({ length: all + 1 }, (_, index) => all - index);
}

/** Without names there is one group, which aggregates imply. */
function groupBy(names: readonly string[], totals: Question['totals'], hasAggregates: boolean): Lines {
  if (names.length === 0) return hasAggregates ? [] : ['GROUP BY ()'];
  const all = names.join(', ');
  if (totals === 'none') return [`GROUP BY ${all}`];
  return [totals === 'all' ? `GROUP BY ROLLUP (${all})` : `GROUP BY GROUPING SETS ((${all}), ())`];
}

/** Totals leave out the last dimensions first, so the number of those that are there says which ones. */
function levelOf(names: readonly string[]): string {
  return [`${names.length}`, ...names.map((name) => `GROUPING(${name})`)].join(' - ');
}
