import { quoteIdentifier } from '../duckdb/quoting.ts';
import { combined, cumulative, seen } from './combine-sql.ts';
import { LegRenderer, type Source } from './leg-sql.ts';
import type { Leg } from './legs.ts';
import { commaSeparated, indent, type Lines, select, where } from './lines.ts';
import type { SemanticModel } from './model.ts';
import { LEVEL, Names } from './names.ts';
import type { Leaf, Question } from './question.ts';

/**
 * The statement that answers a question: a common table expression for each leg, and a SELECT over them. The columns of the reply
 * are the dimensions and the measures under their labels; where there are totals, `#level` before them says of how many leading
 * dimensions a row has values, and totals come first. The text depends on nothing but the arguments. Nulls come last, and rows that
 * the sort leaves equal are in the order of their dimensions.
 */
export function renderQuestion(model: SemanticModel, source: Source, question: Question, legs: readonly Leg[]): string {
  const names = new Names(question, legs);
  const renderer = new LegRenderer(model, source, question, names);
  const parts = legs.map((leg) => ({ name: names.ofLeg(leg), lines: renderer.render(leg) }));
  const grouped = legs.filter(({ scope }) => scope.kind !== 'total');
  const add = (name: string, lines: Lines) => {
    parts.push({ name, lines });
    return name;
  };
  let from = grouped.length > 0 ? names.ofLeg(grouped[0]!) : undefined;
  if (question.time?.isDense) add('seen', seen(question, grouped, names));
  if (grouped.length > 1 || question.time?.isDense)
    from = add('combined', combined({ question, source, legs: grouped, names }));
  const running = cumulative(question, source, names);
  if (from !== undefined && running.length > 0)
    from = add('accumulated', [...select(['*', ...running]), `FROM ${from}`]);
  const expressions = parts.map(({ name, lines }) => [`${name} AS (`, ...indent(lines), ')']);
  const totals = legs.filter(({ scope }) => scope.kind === 'total').map((leg) => names.ofLeg(leg));
  const sources = [...(from === undefined ? [] : [from]), ...totals].join(' CROSS JOIN ');
  return ['WITH', ...indent(commaSeparated(expressions)), ...reply(question, names, sources)].join('\n');
}

function reply(question: Question, names: Names, from: string): Lines {
  const { dimensions, measures, totals, limit } = question;
  const values = [
    ...names.dimensions,
    ...measures.map(({ expression }) =>
      expression.sql(expression.leaves.map((leaf) => leafSql(leaf, question, names))),
    ),
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

/** A total over all periods has no earlier one. */
function leafSql({ aggregate, scope }: Leaf, { time, totals }: Question, names: Names): string {
  const name = names.of(aggregate, scope);
  if (scope.kind !== 'prior' || totals === 'none' || !time) return name;
  return `CASE WHEN ${LEVEL} > ${time.position} THEN ${name} END`;
}
