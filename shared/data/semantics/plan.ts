import type { Diagnostic, SqlParameter } from '../expressions/index.ts';
import { joinGraph } from './join-graph.ts';
import { Leaves } from './leaves.ts';
import { type Leg, planLegs } from './legs.ts';
import type { SemanticModel } from './model.ts';
import type { PlanProblem } from './problems.ts';
import type { Question, RowsQuestion } from './question.ts';
import { renderQuestion } from './render.ts';
import { Restrictions } from './restrictions.ts';
import { chooseRollups, type RollupChoice } from './rollup-choice.ts';
import { storedColumns } from './rollup-sql.ts';
import type { Rollup, RollupTable } from './rollup-table.ts';
import { planRowsLeg } from './rows-leg.ts';
import { renderRows } from './rows-sql.ts';
import { NotWritable, type Source, Writer, type WriterOptions } from './writer.ts';

export type Plan =
  | { sql: string; params: readonly SqlParameter[]; legs: readonly Leg[]; rollups: RollupChoice }
  | { problems: readonly (PlanProblem | Diagnostic)[] };

/**
 * The statement that answers a question, from rollups where one fits. Its columns are the dimensions and the measures
 * under their labels; where there are totals, `#level` before them says of how many leading dimensions a row has
 * values, and totals come first. A dense axis of time adds the column `#filled` after them: false if the axis was left
 * with gaps because it would have more than 10,000 rows. Nulls come last, and rows that the sort leaves equal are in
 * the order of their dimensions. The text depends on nothing but the arguments.
 */
export function planQuestion(
  model: SemanticModel,
  source: Source,
  question: Question,
  { rollups: known = [], ...options }: WriterOptions & { rollups?: readonly Rollup[] },
): Plan {
  const leaves = new Leaves(model.calendar);
  const resolved: Question = {
    ...question,
    measures: question.measures.map(({ label, tree }) => ({ label, tree: leaves.resolve(tree) })),
    resultFilters: question.resultFilters.map((tree) => leaves.resolve(tree)),
  };
  const graph = joinGraph(model);
  const restrictions = new Restrictions(model, graph, source.restricted);
  const context = { model, graph, restrictions };
  const planned = planLegs(context, resolved, leaves.all);
  if ('problems' in planned) return planned;
  const { legs } = planned;
  const { timezone = 'UTC' } = options;
  const rollups = chooseRollups({ ...context, timezone }, resolved, legs, known);
  return writePlan({ legs, rollups }, options, (writer) =>
    renderQuestion({
      ...{ model, source, restrictions, writer, legs },
      question: resolved,
      leaves: leaves.all,
      ranks: leaves.ranks,
      rollups: rollups.used,
    }),
  );
}

/** The statement that computes the rows of a rollup. */
export function planRollup(model: SemanticModel, source: Source, table: RollupTable, options: WriterOptions): Plan {
  const plan = planQuestion(model, source, table.question, options);
  if ('problems' in plan) return plan;
  const columns = storedColumns(table).join(', ');
  return { ...plan, sql: `SELECT ${columns} FROM (\n${plan.sql}\n) AS computed` };
}

/**
 * The statement that lists the rows behind a number: those of one table, each once, whatever its filters join. Its
 * columns are those of the question under their labels. Rows that the sort leaves equal are in the order of the
 * columns.
 */
export function planRows(model: SemanticModel, source: Source, question: RowsQuestion, options: WriterOptions): Plan {
  const graph = joinGraph(model);
  const restrictions = new Restrictions(model, graph, source.restricted);
  const planned = planRowsLeg({ model, graph, restrictions }, question);
  if ('problems' in planned) return planned;
  const { leg } = planned;
  return writePlan({ legs: [leg], rollups: NO_ROLLUPS }, options, (writer) =>
    renderRows({ model, source, restrictions, writer, question, leg }),
  );
}

const NO_ROLLUPS: RollupChoice = { used: new Map(), unused: [] };

function writePlan(
  chosen: { legs: readonly Leg[]; rollups: RollupChoice },
  options: WriterOptions,
  render: (writer: Writer) => string,
): Plan {
  const writer = new Writer(options);
  try {
    return { sql: render(writer), params: writer.params, ...chosen };
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    return { problems: [error.diagnostic] };
  }
}
