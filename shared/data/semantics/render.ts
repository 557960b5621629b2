import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { SqlColumn, Typed } from '../expressions/index.ts';
import { combined, cumulative, seen } from './combine-sql.ts';
import type { Leaf } from './leaves.ts';
import { LegRenderer } from './leg-sql.ts';
import type { Leg } from './legs.ts';
import { commaSeparated, indent, type Lines, select, where } from './lines.ts';
import type { SemanticModel } from './model.ts';
import { LEVEL, Names } from './names.ts';
import type { Question } from './question.ts';
import type { Source, Writer } from './writer.ts';

interface Parts {
  model: SemanticModel;
  source: Source;
  writer: Writer;
  /** Its measures and result filters are resolved to these leaves. */
  question: Question;
  leaves: readonly Leaf[];
  legs: readonly Leg[];
}

/** A common table expression for each leg, and a SELECT over them. Throws `NotWritable`. */
export function renderQuestion({ model, source, writer, question, leaves, legs }: Parts): string {
  const names = new Names(question, legs, leaves);
  const context = { question, names, writer };
  const renderer = new LegRenderer({ model, source, ...context });
  const parts = legs.map((leg) => ({ name: names.ofLeg(leg), lines: renderer.render(leg) }));
  const add = (name: string, lines: Lines) => {
    parts.push({ name, lines });
    return name;
  };
  const grouped = legs.filter(({ scope }) => scope.kind !== 'total');
  let from = grouped[0] && names.ofLeg(grouped[0]);
  if (question.time?.isDense) add('seen', seen(context, grouped));
  if (grouped.length > 1 || question.time?.isDense) from = add('combined', combined(context, grouped));
  const running = cumulative(context, leaves);
  if (from !== undefined && running.length > 0)
    from = add('accumulated', [...select(['*', ...running]), `FROM ${from}`]);
  const totals = legs.filter(({ scope }) => scope.kind === 'total').map((leg) => names.ofLeg(leg));
  const sources = [...(from === undefined ? [] : [from]), ...totals].join(' CROSS JOIN ');
  const expressions = parts.map(({ name, lines }) => [`${name} AS (`, ...indent(lines), ')']);
  return [
    'WITH',
    ...indent(commaSeparated(expressions)),
    ...reply(question, names, { from: sources, writer, leaves }),
  ].join('\n');
}

function reply(
  question: Question,
  names: Names,
  { from, writer, leaves }: { from: string; writer: Writer; leaves: readonly Leaf[] },
): Lines {
  const { dimensions, measures, totals, limit } = question;
  const replaced = new Map<Typed, SqlColumn>([
    ...dimensions.map(({ tree }, index) => [tree, { column: names.dimensions[index]! }] as const),
    ...leaves.map(({ node, aggregate, scope }) => [node, { column: names.of(aggregate, scope) }] as const),
  ]);
  const sql = (tree: Typed) => writer.sql(tree, (field) => ({ column: field }), replaced);
  const values = [...names.dimensions, ...measures.map(({ tree }) => sql(tree))];
  const labels = [...dimensions, ...measures].map(({ label }) => quoteIdentifier(label));
  const level = totals === 'none' ? [] : [LEVEL];
  const order = [
    ...level,
    ...question.sort.map(({ position, descending }) => `${values[position]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...names.dimensions.map((name) => `${name} ASC NULLS LAST`),
  ];
  return [
    ...select([...level, ...values.map((value, index) => `${value} AS ${labels[index]}`)]),
    `FROM ${from}`,
    ...where(question.resultFilters.map(sql)),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${totals === 'none' ? limit : limit + 1}`]),
  ];
}
