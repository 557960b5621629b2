import type { Principal } from '../../../platform/auth/principal.ts';
import { type ModelDefinition, withParameters } from '../models/index.ts';
import { type CacheOutcome, type FileContent, fileContent, type QueryCommand, rowsAsCsv } from '../queries/index.ts';
import { type ReaderRights, rightsOfCaller } from '../row-rights/index.ts';
import { type AnswerRows, answerRows, MAX_ROWS_WITH_SUBTOTALS, rowsToRead } from './answer-rows.ts';
import type { AnswerColumn } from './binder.ts';
import { type CompiledQuestion, compileQuestion } from './compile-question.ts';
import { type CompileDeps, contextOf, type QuestionDeps } from './question-context.ts';
import { runOnSource } from './run-on-source.ts';
import type { QuestionInput } from './schemas.ts';
import { storedRollups } from './stored-rollups.ts';

export interface QuestionCommand extends QuestionInput {
  modelId: string;
  principal: Principal;
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

export interface QuestionAnswer extends AnswerRows {
  columns: readonly AnswerColumn[];
  warnings: readonly string[];
  asOf: string;
  timezone: string;
  stats: { ms: number; bytes: number; cache: CacheOutcome };
}

const NOT_FILLED = 'Periods without rows were not added, because the answer would have more than 10,000 rows.';

/** Throws `MODEL_NOT_FOUND`, and what compiling and running throw. */
export async function compileFor(
  deps: CompileDeps & Pick<QuestionDeps, 'definitions'>,
  { modelId, principal, ...input }: Omit<QuestionCommand, 'timeoutMs' | 'maxAgeSeconds'>,
  options: { isWithoutRollups?: boolean } = {},
): Promise<CompiledQuestion & { definition: ModelDefinition; timezone: string; ofCaller: ReaderRights }> {
  const known = rightsOfCaller(deps.rights, principal);
  // At the same time as the definition.
  known.begin();
  const stored = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const definition = withParameters(stored, input.parameters);
  const asked = { principal, timezone: input.timezone, ofCaller: known };
  const { timezone, ofCaller, ...context } = await contextOf(deps, definition, asked);
  const compiled = compileQuestion(definition, input, {
    ...context,
    ...options,
    // One more than wanted shows whether there are more, and whether the last one has equals. Subtotals need all rows.
    ...(input.totals === 'all' ? {} : { rows: input.limit + 1 }),
  });
  return { ...compiled, definition, timezone, ofCaller };
}

/** The answer to a question, from the rows that the caller may see. */
export async function answerQuestion(deps: QuestionDeps, command: QuestionCommand): Promise<QuestionAnswer> {
  const { principal, maxAgeSeconds } = command;
  const startedAt = deps.now().getTime();
  const { compiled, tables } = await withStoredRollups(deps, command);
  const { sql, params, definition, timezone, columns, warnings, ofCaller } = compiled;
  const timeoutMs = command.timeoutMs - (deps.now().getTime() - startedAt);
  const options = {
    limit: rowsToRead(command),
    timeoutMs: Math.max(timeoutMs, Math.min(command.timeoutMs, MIN_MS)),
    timezone,
    maxAgeSeconds,
    tables,
  };
  const answer = await runOnSource(deps, { model: definition.model, principal, ofCaller }, { sql, params, ...options });
  const { asOf, cache, ms, bytes } = answer;
  const { isFilled, ...rest } = answerRows(answer, command, columns);
  return {
    columns: columns.filter(({ hidden }) => !hidden),
    ...rest,
    warnings: [...warnings, ...answer.warnings, ...(isFilled ? [] : [NOT_FILLED])],
    asOf,
    timezone,
    stats: { ms, bytes, cache },
  };
}

/** The rows of an answer as CSV: in the bucket if they are many. */
export interface AnswerFile
  extends Pick<QuestionAnswer, 'columns' | 'rowCount' | 'truncated' | 'warnings' | 'asOf' | 'timezone'> {
  content: FileContent;
}

/** The same for a question without totals, whose rows go to a file without passing through here. */
export async function answerAsCsv(
  deps: QuestionDeps,
  command: QuestionCommand & Pick<QueryCommand, 'spreadsheet'>,
): Promise<AnswerFile> {
  const { principal, spreadsheet, maxAgeSeconds, limit, timeoutMs } = command;
  if (command.dimensions.some(({ fill }) => fill) || command.measures.some(({ hidden }) => hidden)) {
    const answer = await answerQuestion(deps, { ...command, limit: Math.min(limit, MAX_ROWS_WITH_SUBTOTALS) });
    const rows = JSON.parse(answer.rowsJson) as unknown[][];
    const { columns, rowCount, truncated, warnings, asOf, timezone } = answer;
    const content = Buffer.from(rowsAsCsv({ columns: [...columns], truncated }, rows, spreadsheet));
    return { columns, rowCount, truncated, warnings, asOf, timezone, content };
  }
  const { sql, params, definition, timezone, columns, warnings, ofCaller } = await compileFor(deps, command, {
    isWithoutRollups: true,
  });
  const statement = {
    sql,
    params,
    limit,
    timeoutMs,
    timezone,
    maxAgeSeconds,
    ...(spreadsheet && { spreadsheet }),
  };
  const answer = await runOnSource(deps, { model: definition.model, principal, ofCaller }, statement, 'csv');
  const { rowCount, truncated, asOf } = answer;
  return {
    columns,
    rowCount,
    truncated,
    warnings: [...warnings, ...answer.warnings],
    asOf,
    timezone,
    content: fileContent(answer),
  };
}

/** Computing rollups leaves at least so much time for the question. */
const MIN_MS = 1000;

/** The question over its rollups, which are computed if need be; over the tables if that fails. */
async function withStoredRollups(deps: QuestionDeps, command: QuestionCommand) {
  const compiled = await compileFor(deps, command);
  const { rollups, timezone, ofCaller } = compiled;
  if (rollups.statements.length === 0) return { compiled, tables: [] };
  const tables = await storedRollups(deps, rollups.statements, { principal: command.principal, ofCaller, timezone });
  if (tables) return { compiled, tables };
  return { compiled: await compileFor(deps, command, { isWithoutRollups: true }), tables: [] };
}
