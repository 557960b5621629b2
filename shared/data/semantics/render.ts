import { quoteIdentifier } from '../duckdb/quoting.ts';
import { column, type SqlColumn, type Typed } from '../expressions/index.ts';
import { combined, cumulative, isCount, parentValues, places, seen } from './combine-sql.ts';
import type { Leaf, Rank } from './leaves.ts';
import { LegRenderer } from './leg-sql.ts';
import type { Leg } from './legs.ts';
import { before, commaSeparated, inBrackets, indent, type Lines, orderBy, select, where } from './lines.ts';
import type { SemanticModel } from './model.ts';
import { FILLED, LEVEL, Names, PARTS, PRESENT } from './names.ts';
import type { Question } from './question.ts';
import type { Restrictions } from './restrictions.ts';
import type { RollupUse } from './rollup-table.ts';
import { periods } from './running.ts';
import { isRunning } from './running-scope.ts';
import { axis, isFilled } from './time-axis.ts';
import type { Source, Writer } from './writer.ts';

interface Parts {
  model: SemanticModel;
  source: Source;
  restrictions: Restrictions;
  writer: Writer;
  /** Its measures and result filters are resolved to these leaves. */
  question: Question;
  leaves: readonly Leaf[];
  ranks: readonly Rank[];
  legs: readonly Leg[];
  rollups: ReadonlyMap<Leg, RollupUse>;
}

/** A common table expression for each leg, and a SELECT over them. Throws `NotWritable`. */
export function renderQuestion(parts: Parts): string {
  const { writer, question, leaves, legs } = parts;
  const names = new Names(question, legs, leaves);
  const context = { question, names, writer };
  const renderer = new LegRenderer({ ...parts, names }, legs);
  const [late, early] = [true, false].map((isLate) => legs.filter(({ scope }) => isRunning(scope) === isLate));
  const statement = (leg: Leg) => ({ name: names.ofLeg(leg), lines: renderer.render(leg) });
  const expressions = early!.map(statement);
  const add = (name: string, lines: Lines) => {
    expressions.push({ name, lines });
    return name;
  };
  const grouped = legs.filter(({ scope }) => scope.kind !== 'total');
  let from = grouped[0] && names.ofLeg(grouped[0]);
  const { time } = question;
  const hasEarlierCounts = grouped.some(({ scope, aggregates }) => scope.kind === 'prior' && aggregates.some(isCount));
  if (time && hasEarlierCounts) add(PARTS.first, renderer.first(time));
  if (time && (time.isDense || late!.length > 0)) add(PARTS.seen, seen(context, grouped));
  if (time?.isDense) add(PARTS.axis, axis({ ...context, time }));
  if (time && late!.length > 0) add(PARTS.periods, periods(time, context));
  expressions.push(...late!.map(statement));
  if (grouped.length > 1 || time?.isDense) from = add(PARTS.combined, combined(context, grouped));
  const parents = parentValues(context, legs);
  const running = [...cumulative(context, leaves), ...parents];
  if (from !== undefined && running.length > 0)
    from = add(PARTS.accumulated, [...select(['*', ...running]), `FROM ${from}`]);
  if (from !== undefined && parents.length > 0)
    from = add(PARTS.shown, [...select(['*']), `FROM ${from}`, ...where([`${PRESENT} = 1`])]);
  const totals = legs.filter(({ scope }) => scope.kind === 'total').map((leg) => names.ofLeg(leg));
  let sources = [...(from === undefined ? [] : [from]), ...totals].join(' CROSS JOIN ');
  const replaced = replacedIn(question, names, leaves);
  if (parts.ranks.length > 0)
    sources = add(PARTS.ranked, [...select(['*', ...places(context, parts.ranks, replaced)]), `FROM ${sources}`]);
  return [
    'WITH',
    ...indent(commaSeparated(expressions.map(({ name, lines }) => before(`${name} AS `, inBrackets(lines))))),
    ...reply(question, names, { from: sources, writer, replaced }),
  ].join('\n');
}

/** The columns that stand for parts of the measures and of the result filters. */
const replacedIn = ({ dimensions }: Question, names: Names, leaves: readonly Leaf[]) =>
  new Map<Typed, SqlColumn>([
    ...dimensions.map(({ tree }, index) => [tree, { column: names.dimensions[index]! }] as const),
    ...leaves.map(({ node, aggregate, scope }) => [node, { column: names.of(aggregate, scope) }] as const),
  ]);

function reply(
  question: Question,
  names: Names,
  { from, writer, replaced }: { from: string; writer: Writer; replaced: ReadonlyMap<Typed, SqlColumn> },
): Lines {
  const { dimensions, measures, totals, time } = question;
  const columnOf = (field: string): SqlColumn => ({ column: field });
  const values = [
    ...dimensions.map(({ tree, label }, index) => ({ tree: column(names.dimensions[index]!, tree.type), label })),
    ...measures,
  ].map(({ tree, label }) => ({ tree, label, sql: writer.sql(tree, columnOf, replaced) }));
  const level = totals === 'none' ? [] : [LEVEL];
  const sort = [...question.sort, ...dimensions.map((_, position) => ({ position, descending: false }))];
  const isFirst = (position: number, index: number) => sort.findIndex((each) => each.position === position) === index;
  const order = sort
    .filter(({ position }, index) => isFirst(position, index))
    .map(({ position, descending }) => ({
      tree: values[position]!.tree,
      number: position + level.length + 1,
      descending,
    }));
  const filters = question.resultFilters.map((tree) => writer.sql(tree, columnOf, replaced));
  return [
    ...select([
      ...level,
      ...values.map(({ sql, label }) => `${sql} AS ${quoteIdentifier(label)}`),
      ...(time?.isDense ? [`${isFilled} AS ${FILLED}`] : []),
    ]),
    `FROM ${from}`,
    ...where(filters.map((sql) => (totals === 'none' ? sql : `${LEVEL} < ${dimensions.length} OR (${sql})`))),
    ...orderBy([...level.map(() => '1'), ...order.map((term) => writer.order(term, columnOf, replaced))]),
    ...limited(question, from),
  ];
}

/** The limit counts rows with all dimensions; totals come before them. */
function limited({ limit, totals, dimensions }: Question, from: string): Lines {
  if (limit === undefined) return [];
  if (totals === 'none' || dimensions.length === 0) return [`LIMIT ${limit}`];
  if (totals === 'grand') return [`LIMIT ${limit + 1}`];
  return [`LIMIT ${limit} + (SELECT count(*) FROM ${from} WHERE ${LEVEL} < ${dimensions.length})`];
}
