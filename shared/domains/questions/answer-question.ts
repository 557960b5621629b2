import type { Principal } from '../../platform/auth/principal.ts';
import { DATASETS, type DefinitionReader, type ModelDefinition } from '../models/index.ts';
import { canonicalTimezone, type QueryDeps, rightsOf, runQuery } from '../queries/index.ts';
import type { AnswerColumn } from './bind-question.ts';
import { type CompiledQuestion, compileQuestion, dialectOf } from './compile-question.ts';
import type { QuestionInput } from './schemas.ts';

export interface QuestionDeps extends QueryDeps {
  definitions: DefinitionReader;
}

export interface QuestionCommand extends QuestionInput {
  modelId: string;
  principal: Principal;
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

export interface QuestionAnswer {
  columns: readonly AnswerColumn[];
  /** JSON text: an array of arrays in the order of the columns. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  /** Whether rows that were cut off are as good as the last one. */
  tiesCut: boolean;
  totals: readonly Total[];
  warnings: readonly string[];
  asOf: string;
  timezone: string;
  stats: { ms: number; bytes: number; cache: 'hit' | 'miss' | 'shared' };
}

export interface Total {
  /** How many of the leading dimensions the total is for: 0 for the grand total. */
  level: number;
  row: readonly unknown[];
}

/** Rows and subtotals together, before rows are cut to the limit. */
const MAX_ROWS_WITH_SUBTOTALS = 50_000;

/** Throws `MODEL_NOT_FOUND`, and what compiling and running throw. */
export async function compileFor(
  deps: Pick<QuestionDeps, 'definitions' | 'live' | 'now'>,
  { modelId, principal, ...input }: Omit<QuestionCommand, 'timeoutMs' | 'maxAgeSeconds'>,
): Promise<CompiledQuestion & { definition: ModelDefinition; timezone: string }> {
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const timezone = canonicalTimezone(input.timezone);
  const dialect = await dialectOf(definition.model, deps.live.find);
  const compiled = compileQuestion(definition, input, {
    dialect,
    clock: { now: deps.now(), timezone },
    // One more than wanted shows whether there are more, and whether the last one has equals. Subtotals need all rows.
    ...(input.totals === 'all' ? {} : { rows: input.limit + 1 }),
  });
  return { ...compiled, definition, timezone };
}

/** The answer to a question, from the rows that the caller may see. */
export async function answerQuestion(deps: QuestionDeps, command: QuestionCommand): Promise<QuestionAnswer> {
  const { principal, timeoutMs, maxAgeSeconds, limit, totals } = command;
  const { sql, params, definition, timezone, columns, warnings } = await compileFor(deps, command);
  const { sourceId } = definition.model;
  const rows = totals === 'all' ? MAX_ROWS_WITH_SUBTOTALS : limit + (totals === 'grand' ? 2 : 1);
  const answer = await runQuery(
    deps,
    {
      workspaceId: principal.workspaceId,
      rights: rightsOf(principal),
      sql,
      params: [...params],
      ...(sourceId === DATASETS ? {} : { sourceId }),
      limit: rows,
      timeoutMs,
      timezone,
      ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
    },
    'rows',
  );
  const { asOf, cache, ms, bytes } = answer;
  return {
    columns,
    ...shown(answer, command, columns),
    warnings: [...warnings, ...answer.warnings],
    asOf,
    timezone,
    stats: { ms, bytes, cache },
  };
}

type Shown = Pick<QuestionAnswer, 'rowsJson' | 'rowCount' | 'truncated' | 'tiesCut' | 'totals'>;

function shown(
  { payload, rowCount, truncated }: { payload: string; rowCount: number; truncated: boolean },
  { limit, totals, sort, dimensions }: QuestionCommand,
  columns: readonly AnswerColumn[],
): Shown {
  // Most answers go to the client as the engine has written them.
  if (totals === 'none' && rowCount <= limit)
    return { rowsJson: payload, rowCount, truncated, tiesCut: false, totals: [] };
  const all = JSON.parse(payload) as unknown[][];
  const levels = totals === 'none' ? [] : all.filter(([level]) => Number(level) < dimensions.length);
  const detailed =
    totals === 'none' ? all : all.filter(([level]) => Number(level) === dimensions.length).map((row) => row.slice(1));
  const rows = detailed.slice(0, limit);
  const next = detailed[rows.length];
  const sorted = sort.map(({ column }) => columns.findIndex(({ name }) => name === column));
  return {
    rowsJson: JSON.stringify(rows),
    rowCount: rows.length,
    truncated: truncated || next !== undefined,
    tiesCut: next !== undefined && sorted.length > 0 && sorted.every((at) => rows.at(-1)![at] === next[at]),
    totals: levels.map(([level, ...row]) => ({ level: Number(level), row })),
  };
}
