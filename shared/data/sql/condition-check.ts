import { DataError, positionAt } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import { balancedIssue, conditionStatement, offsetInCondition } from './condition.ts';
import { checkSelect } from './select-check.ts';

/**
 * Checks a condition over the columns of one table, called `input`, under the rules of `checkSelect`. Brackets must be
 * balanced, so that the condition cannot escape from the brackets around it. Throws like `checkSelect`, with positions
 * in the condition.
 */
export async function checkCondition(engine: Engine, condition: string): Promise<{ sql: string }> {
  const issue = balancedIssue(condition);
  if (issue) throw issue;
  try {
    await checkSelect(engine, conditionStatement(condition), { tables: ['input'] });
  } catch (error) {
    throw error instanceof DataError ? withConditionPositions(error, condition) : error;
  }
  return { sql: condition };
}

function withConditionPositions(error: DataError, condition: string): DataError {
  const issues = error.issues.map((issue) =>
    issue.position ? { ...issue, position: positionAt(condition, offsetInCondition(issue.position.offset)) } : issue,
  );
  return new DataError(error.code, error.message, { issues, cause: error.cause });
}
