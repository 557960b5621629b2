import type { RowsQuestion } from '../../../data/semantics/question.ts';
import type { ModelDefinition } from '../models/index.ts';
import { type AnswerColumn, Binder } from './binder.ts';
import type { Clock } from './conditions.ts';
import type { QuestionInput } from './schemas.ts';

/** The rows of a table, with each of its columns and filters at its place in the request. */
export interface TableInput {
  tableId: string;
  /** Fields of the model, which exist. */
  columns: readonly { fieldId: string; pointer: string }[];
  filters: QuestionInput['filters'];
  /** The pointer of the filters. */
  filtersPointer: string;
}

/** Throws `VALIDATION_FAILED` with every issue. */
export function bindTable(
  definition: ModelDefinition,
  { tableId, columns, filters, filtersPointer }: TableInput,
  { clock, denied }: { clock: Clock; denied: ReadonlySet<string> },
): { question: RowsQuestion; columns: readonly AnswerColumn[] } {
  const binder = new Binder(definition, clock, denied);
  const bound = columns.map(({ fieldId, pointer }) => binder.column(fieldId, pointer));
  const conditions = filters.map((each, index) => binder.filter(each, `${filtersPointer}/${index}`));
  binder.throwIssues();
  return {
    question: {
      home: tableId,
      columns: bound.map((column, index) => ({ label: `c${index + 1}`, tree: column!.tree })),
      filters: conditions.map((tree) => tree!),
    },
    columns: bound.map((each) => each!.column),
  };
}
