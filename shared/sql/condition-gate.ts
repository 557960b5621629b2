import type { Engine } from '../engine/engine.ts';
import { EngineError, positionAt } from '../engine/engine-error.ts';
import { tokens } from './lexer.ts';
import { checkSelect } from './select-gate.ts';

const BEFORE = 'SELECT 1 FROM input WHERE (';

/**
 * Accepts a condition over the columns of one table, called `input`, under the rules of `checkSelect`; brackets must be balanced,
 * so that it stays inside of the brackets around it. Throws as `checkSelect`, with places in the condition.
 */
export async function checkCondition(engine: Engine, condition: string): Promise<{ sql: string }> {
  const fault = balancedFault(condition);
  if (fault) throw fault;
  try {
    await checkSelect(engine, `${BEFORE}${condition}\n)`, { tables: ['input'] });
  } catch (error) {
    throw error instanceof EngineError ? moved(error, condition) : error;
  }
  return { sql: condition };
}

/** The fault of a text whose brackets would close those around it, or that holds a second statement. */
export function balancedFault(condition: string): EngineError | undefined {
  let depth = 0;
  for (const token of tokens(condition)) {
    const symbol = token.kind === 'symbol' ? condition[token.start] : '';
    if (symbol === '(') depth += 1;
    if (symbol === ')') depth -= 1;
    if (depth >= 0 && symbol !== ';') continue;
    const message = 'The condition is not one expression.';
    const position = positionAt(condition, token.start);
    return new EngineError('SQL_PARSE', message, { faults: [{ code: 'SQL_PARSE', message, position }] });
  }
  return undefined;
}

function moved(error: EngineError, condition: string): EngineError {
  const faults = error.faults.map((fault) =>
    fault.position ? { ...fault, position: positionAt(condition, fault.position.offset - BEFORE.length) } : fault,
  );
  return new EngineError(error.code, error.message, { faults, cause: error.cause });
}
