import { EngineError, positionAt } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import { balancedFault, conditionStatement, offsetInCondition } from './condition.ts';
import { checkSelect } from './select-check.ts';

/**
 * Accepts a condition over the columns of one table, called `input`, under the rules of `checkSelect`; brackets must be balanced,
 * so that it stays inside of the brackets around it. Throws as `checkSelect`, with places in the condition.
 */
export async function checkCondition(engine: Engine, condition: string): Promise<{ sql: string }> {
  const fault = balancedFault(condition);
  if (fault) throw fault;
  try {
    await checkSelect(engine, conditionStatement(condition), { tables: ['input'] });
  } catch (error) {
    throw error instanceof EngineError ? moved(error, condition) : error;
  }
  return { sql: condition };
}

function moved(error: EngineError, condition: string): EngineError {
  const faults = error.faults.map((fault) =>
    fault.position ? { ...fault, position: positionAt(condition, offsetInCondition(fault.position.offset)) } : fault,
  );
  return new EngineError(error.code, error.message, { faults, cause: error.cause });
}
