/** The public API of this domain; everything else is internal. */
export {
  type AnswerFile,
  answerAsCsv,
  answerQuestion,
  compileFor,
  type QuestionAnswer,
  type QuestionCommand,
} from './answer-question.ts';
export { type AnswerRows, answerRows, rowsToRead, type Total } from './answer-rows.ts';
export type { GroupsInput } from './bind-groups.ts';
export type { TableInput } from './bind-table.ts';
export type { AnswerColumn, BoundColumn } from './binder.ts';
export { type CompiledGroups, type CompileOptions, compileGroups, compileTable } from './compile-question.ts';
export { conditionOn } from './conditions.ts';
export { datasetModel, modelOfTable } from './dataset-model.ts';
export { type DetectedRelationship, type Detection, detectRelationships } from './detect-relationships.ts';
export { type DistinctValues, distinctValues, type ValuesCommand, valuesProperties } from './distinct-values.ts';
export { orderFromEnd } from './order-from-end.ts';
export { answerPivot, type PivotAnswer, type PivotCommand, pivotIssues } from './pivot-question.ts';
export { planInWords } from './plan-in-words.ts';
export { type PreviewCommand, previewTable, type TablePreview } from './preview-table.ts';
export { type CompileDeps, contextOf, type QuestionDeps } from './question-context.ts';
export { compileMatchingRows, compileOverRows } from './question-over-rows.ts';
export { type RowsCommand, rowsBehind } from './rows-behind.ts';
export {
  AskedMeasure,
  conditionsIn,
  FILLS,
  type Fill,
  MAX_PIVOT_GROUPS,
  Pivot,
  QuestionCondition,
  QuestionDimension,
  QuestionFilter,
  type QuestionInput,
  QuestionMeasure,
  QuestionSort,
  questionProperties,
  ResultFilter,
  rowsProperties,
} from './schemas.ts';
