import type { Principal } from '../../../platform/auth/principal.ts';
import { withParameters } from '../models/index.ts';
import type { QuestionAnswer } from './answer-question.ts';
import { compileRows } from './compile-question.ts';
import { contextOf, type QuestionDeps } from './question-context.ts';
import { runOnSource } from './run-on-source.ts';
import type { RowsInput } from './schemas.ts';

export interface RowsCommand extends RowsInput {
  modelId: string;
  principal: Principal;
  timeoutMs: number;
}

/** The rows behind a number of an answer, of those that the caller may see. Throws as `answerQuestion` does. */
export async function rowsBehind(
  deps: QuestionDeps,
  { modelId, principal, timeoutMs, ...input }: RowsCommand,
): Promise<Omit<QuestionAnswer, 'tiesCut' | 'totals'>> {
  const stored = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const definition = withParameters(stored, input.parameters);
  const { timezone, ofCaller, ...context } = await contextOf(deps, definition, { principal, timezone: input.timezone });
  const { sql, params, columns } = compileRows(definition, input, context);
  const { limit } = input;
  const { payload, rowCount, truncated, warnings, asOf, ms, bytes, cache } = await runOnSource(
    deps,
    { model: definition.model, principal, ofCaller },
    { sql, params, limit, timeoutMs, timezone },
  );
  return { columns, rowsJson: payload, rowCount, truncated, warnings, timezone, asOf, stats: { ms, bytes, cache } };
}
