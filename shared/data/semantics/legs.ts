import type { Hop, JoinGraph, PathProblem } from './join-graph.ts';
import type { SemanticModel } from './model.ts';
import type { Aggregate, Question } from './question.ts';

/**
 * The aggregates of one table with the tables that group and filter their rows. Each leg is computed by itself, so that the
 * rows of one table never multiply those of another.
 */
export interface Leg {
  /** The table whose rows are aggregated. */
  home: string;
  /** In the order of joining, each from a table that is there already. */
  hops: readonly Hop[];
  aggregates: readonly Aggregate[];
  /** Whether joining repeats rows of the home table, so that each has to be counted once for each group. */
  repeatsRows: boolean;
  /** Whether joining adds groups without any row of the home table. */
  addsGroups: boolean;
}

/** Why a question has no right answer, by the numbers of `docs/expressions.md`. */
export interface PlanProblem {
  code: 5001 | 5002 | 5003 | 5004;
  message: string;
}

export type Legs = { legs: readonly Leg[] } | { problems: readonly PlanProblem[] };

export function planLegs(model: SemanticModel, graph: JoinGraph, question: Question): Legs {
  const tableOf = new Map(model.fields.map(({ id, tableId }) => [id, tableId]));
  const aliases = new Map(model.tables.map(({ id, alias }) => [id, alias]));
  const tablesOf = (fields: readonly string[]) => new Set(fields.map((id) => tableOf.get(id)!));
  const problems = new Map<string, PlanProblem>();
  const report = (problem: PlanProblem) => problems.set(problem.message, problem);

  const context = tablesOf([
    ...question.dimensions.flatMap(({ expression }) => expression.fields),
    ...question.filters.flatMap(({ fields }) => fields),
  ]);
  const aggregates = new Set(question.measures.flatMap(({ expression }) => expression.aggregates));
  const byHome = new Map<string, Aggregate[]>();
  for (const aggregate of aggregates) {
    const tables = tablesOf(aggregate.fields);
    const home = homeOf(graph, tables);
    if (home === undefined) report(noHome([...tables].map((id) => aliases.get(id)!)));
    else byHome.set(home, [...(byHome.get(home) ?? []), aggregate]);
  }
  if (aggregates.size === 0) byHome.set(homeOf(graph, context) ?? [...context][0]!, []);

  const legs = [...byHome].map(([home, own]) => {
    const needed = new Set([...tablesOf(own.flatMap(({ fields }) => fields)), ...context]);
    const hops = new Map<string, Hop>();
    for (const table of needed) {
      const path = graph.path(home, table);
      if ('problem' in path) report(noPath(path.problem, aliases));
      else for (const hop of path.hops) hops.set(hop.to.tableId, hop);
    }
    const joined = [...hops.values()];
    return {
      home,
      hops: joined,
      aggregates: own,
      repeatsRows: joined.some(({ toMany }) => toMany),
      addsGroups: joined.some(({ joinType }) => joinType === 'right' || joinType === 'full'),
    };
  });
  return problems.size > 0 ? { problems: [...problems.values()] } : { legs };
}

/** The table whose rows have at most one partner in each of the others: the finest of them. */
function homeOf(graph: JoinGraph, tables: ReadonlySet<string>): string | undefined {
  return [...tables].find((table) => {
    const one = graph.toOne(table);
    return [...tables].every((other) => one.has(other));
  });
}

function noHome(aliases: readonly string[]): PlanProblem {
  if (aliases.length === 0) {
    const message = 'An aggregate reads no field, so nothing says which rows it is about. Name a field in it.';
    return { code: 5001, message };
  }
  return {
    code: 5003,
    message: `One aggregate reads fields of ${aliases.join(' and ')}, where each row of one table may have many in the other. Aggregate each table by itself, or read only fields of tables that every row has at most one partner in.`,
  };
}

function noPath(problem: PathProblem, aliases: ReadonlyMap<string, string>): PlanProblem {
  const ends = `${aliases.get(problem.from)} and ${aliases.get(problem.to)}`;
  if (problem.kind === 'ambiguous') {
    const paths = problem.paths.map((hops) => hops.map(({ to }) => aliases.get(to.tableId)).join(' → '));
    return {
      code: 5002,
      message: `Several paths of relationships lead from ${aliases.get(problem.from)} to ${aliases.get(problem.to)} (${paths.join('; ')}). Deactivate all but one, or add the table a second time under another alias.`,
    };
  }
  if (problem.inactive.length > 0) {
    return { code: 5004, message: `${ends} are related only by inactive relationships. Activate one of them.` };
  }
  return {
    code: 5001,
    message: `No relationship leads from ${aliases.get(problem.from)} to ${aliases.get(problem.to)}. Add one, or leave out the fields of one table.`,
  };
}
