import { dimensionName, type GroupPart, groupParts, keyName } from '../../../data/blends/group-sql.ts';
import { aggregatesOf } from '../../../data/expressions/index.ts';
import type { Question } from '../../../data/semantics/question.ts';
import type { ModelDefinition } from '../models/index.ts';
import { Binder, type BoundColumn } from './binder.ts';
import type { Clock } from './conditions.ts';
import type { QuestionInput } from './schemas.ts';

/** An item of a question with its place in the request. */
type Placed<T> = T & { pointer: string };

/** The rows of a table in groups, with each item at its place in the request. */
export interface GroupsInput {
  tableId: string;
  dimensions: readonly Placed<QuestionInput['dimensions'][number]>[];
  measures: readonly Placed<QuestionInput['measures'][number]>[];
  filters: readonly Placed<QuestionInput['filters'][number]>[];
  /** The ids of further fields to group by, which exist. */
  keys: readonly string[];
}

export interface BoundGroups {
  question: Question;
  dimensions: readonly BoundColumn[];
  measures: readonly BoundColumn[];
  parts: readonly GroupPart[];
  warnings: readonly string[];
}

/** The columns of the groups are the dimensions, the keys and the parts of the measures. Throws `VALIDATION_FAILED`. */
export function bindGroups(
  definition: ModelDefinition,
  { tableId, keys, ...input }: GroupsInput,
  { clock, denied }: { clock: Clock; denied: ReadonlySet<string> },
): BoundGroups {
  const binder = new Binder(definition, clock, denied);
  const dimensions = input.dimensions.map(({ pointer, ...each }) => binder.dimension(each, pointer));
  const measures = input.measures.map(({ pointer, ...each }) => binder.measure(each, pointer));
  const filters = input.filters.map(({ pointer, ...each }) => binder.filter(each, pointer));
  const keyed = keys.map((fieldId, index) => binder.column(fieldId, `/keys/${index}`));
  binder.throwIssues();
  const bound = measures.map((each) => each!);
  const parts = groupParts(bound.flatMap(({ tree }) => aggregatesOf(tree)));
  return {
    question: {
      dimensions: [
        ...dimensions.map((each, index) => ({ tree: each!.tree, label: dimensionName(index) })),
        ...keyed.map((each, index) => ({ tree: each!.tree, label: keyName(index) })),
      ],
      measures: parts.map(({ aggregate, column }) => ({ tree: aggregate, label: column })),
      filters: filters.map((tree) => tree!),
      resultFilters: [],
      sort: [],
      totals: 'none',
    },
    dimensions: dimensions.map((each) => each!),
    measures: bound,
    parts,
    warnings: binder.warnings,
  };
}
