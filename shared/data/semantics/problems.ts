import type { JoinProblem } from './joined-tables.ts';

/** Why a question has no right answer, by the numbers of `docs/expressions.md`. */
export interface PlanProblem {
  code: 5001 | 5002 | 5003 | 5004 | 5005 | 5007 | 5008 | 5009;
  message: string;
}

export function noHome(aliases: readonly string[]): PlanProblem {
  if (aliases.length === 0) {
    const message =
      'An aggregate such as COUNT(*) names no field, so it is not clear which table it counts. Use a field in it, such as COUNT([orders.id]).';
    return { code: 5001, message };
  }
  return {
    code: 5003,
    message: `One aggregate reads fields of ${aliases.join(' and ')}, and rows of each table can match several rows of the other. Aggregate each table separately, or use only fields of tables in which every row has at most one match.`,
  };
}

export function noRows(): PlanProblem {
  const message = "It is not clear which table's rows to list. Use a measure that aggregates exactly one table.";
  return { code: 5009, message };
}

export function manyValues(label: string, home: string): PlanProblem {
  const message = `The column "${label}" can have several values for one row of ${home}. Use a column of a table in which each row of ${home} has at most one match.`;
  return { code: 5003, message };
}

/** Why a table cannot be joined with another. */
export function noJoin(problem: JoinProblem, aliases: ReadonlyMap<string, string>): PlanProblem {
  if (problem.kind === 'tooManyChains') {
    const message = `Too many paths of relationships lead from ${aliases.get(problem.from)} to tables with row-level security. Deactivate relationships that no question needs.`;
    return { code: 5008, message };
  }
  const ends = `${aliases.get(problem.from)} and ${aliases.get(problem.to)}`;
  if (problem.kind === 'ambiguous') {
    const paths = problem.paths.map((hops) => hops.map(({ to }) => aliases.get(to.tableId)).join(' → '));
    return {
      code: 5002,
      message: `Several paths of relationships lead from ${aliases.get(problem.from)} to ${aliases.get(problem.to)} (${paths.join('; ')}). Deactivate all but one, or add the table a second time under another alias.`,
    };
  }
  if (problem.inactive.length > 0) {
    return { code: 5004, message: `${ends} are joined only by inactive relationships. Activate one of them.` };
  }
  return {
    code: 5001,
    message: `No relationship leads from ${aliases.get(problem.from)} to ${aliases.get(problem.to)}. Add one, or leave out the fields of one table.`,
  };
}
