import {
  answerPivot,
  answerQuestion,
  compileFor,
  type PivotCommand,
  planInWords,
  type QuestionCommand,
  type QuestionDeps,
  type RowsCommand,
  rowsBehind,
} from '../../../../shared/domains/semantics/questions/index.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import type { CompiledQuestion } from '../schemas.ts';

/** Throws the errors of `answerQuestion`, and of `answerPivot`. */
export async function askModel(
  deps: QuestionDeps,
  { queryId, pivot, ...question }: QuestionCommand & { queryId: string; pivot?: PivotCommand['pivot'] },
): Promise<JsonText> {
  const { rowsJson, ...answer } = pivot
    ? await answerPivot(deps, { ...question, pivot })
    : await answerQuestion(deps, question);
  return JsonText.of({ queryId, ...answer }, { rows: rowsJson });
}

/** Throws the errors of `rowsBehind`. */
export async function drillModel(
  deps: QuestionDeps,
  { queryId, ...command }: RowsCommand & { queryId: string },
): Promise<JsonText> {
  const { rowsJson, ...answer } = await rowsBehind(deps, command);
  return JsonText.of({ queryId, ...answer }, { rows: rowsJson });
}

/** Throws the errors of `compileFor`. */
export async function compileQuestion(
  deps: QuestionDeps,
  question: Parameters<typeof compileFor>[1],
): Promise<CompiledQuestion> {
  const { dialect, sql, params, columns, warnings, legs, definition, rollups } = await compileFor(deps, question);
  const ids = new Set(legs.flatMap(({ home, hops }) => [home, ...hops.map(({ to }) => to.tableId)]));
  const tables = [...ids].map((id) => {
    const { alias, sourceSchema, sourceTable } = definition.tables.get(id)!;
    return { id, alias, source: sourceSchema === '' ? sourceTable : `${sourceSchema}.${sourceTable}` };
  });
  const plan = planInWords(definition, legs, rollups);
  return { dialect, sql, params: [...params], columns: [...columns], tables, plan, warnings: [...warnings] };
}
