import type { Typed } from '../../../data/expressions/index.ts';
import type { Question } from '../../../data/semantics/question.ts';
import { isOfPeriods, withoutPeriods } from '../../../data/semantics/without-periods.ts';
import { nearest } from '../../../platform/text/nearest.ts';
import type { ModelDefinition } from '../models/index.ts';
import { type AnswerColumn, Binder, type BoundColumn } from './binder.ts';
import type { Clock } from './conditions.ts';
import { orderFromEnd } from './order-from-end.ts';
import type { QuestionInput } from './schemas.ts';

export interface BoundQuestion {
  question: Question;
  columns: readonly AnswerColumn[];
  warnings: readonly string[];
  /** The measures of PRIOR and TRAILING, by name. */
  ofPeriods: readonly string[];
}

/** The question with its names found and its expressions checked. Throws `VALIDATION_FAILED` with every issue. */
export function bindQuestion(
  definition: ModelDefinition,
  input: QuestionInput,
  { clock, denied }: { clock: Clock; denied: ReadonlySet<string> },
): BoundQuestion {
  const binder = new Binder(definition, clock, denied);
  const dimensions = input.dimensions.map((each, index) => binder.dimension(each, `/dimensions/${index}`));
  const time = binder.timeOf(input.dimensions, dimensions, input.time);
  const lacksTime = input.time !== undefined && !time;
  const measures = input.measures.map(({ hidden, ...each }, index) => {
    const measure = binder.measure(each, `/measures/${index}`);
    if (!measure) return undefined;
    const tree = lacksTime ? withoutPeriods(measure.tree) : measure.tree;
    return { ...measure, tree, column: hidden ? { ...measure.column, hidden } : measure.column };
  });
  const filters = input.filters.map((each, index) => binder.filter(each, each.pointer ?? `/filters/${index}`));
  if (dimensions.length === 0 && input.measures.every(({ hidden }) => hidden))
    binder.report('/measures', 'REQUIRED', 'needs at least one item to show unless dimensions has one');
  const bound = [...dimensions, ...measures];
  binder.checkNames(bound, (index) =>
    index < dimensions.length ? `/dimensions/${index}` : `/measures/${index - dimensions.length}`,
  );
  const byName = new Map(bound.flatMap((each) => (each ? [[each.column.name, each] as const] : [])));
  const named = (name: string, pointer: string) => {
    const found = byName.get(name);
    if (!found && bound.every((each) => each)) {
      const near = nearest(name, byName.keys());
      const hint = near === undefined ? '' : `; did you mean "${near}"?`;
      binder.report(pointer, 'UNKNOWN_COLUMN', `is not a column of the question${hint}`);
    }
    return found;
  };
  const resultFilters = input.resultFilters.map(({ column, ...condition }, index) => {
    const found = named(column, `/resultFilters/${index}/column`);
    return found && binder.condition(found.tree, condition, `/resultFilters/${index}`);
  });
  const sort = input.sort.map(({ column, direction }, index) => {
    const found = named(column, `/sort/${index}/column`);
    return { position: found ? bound.indexOf(found) : 0, descending: direction === 'desc' };
  });
  binder.throwIssues();

  const labelled = (columns: readonly (BoundColumn | undefined)[]) =>
    (columns as BoundColumn[]).map(({ label, tree }) => ({ label, tree }));
  const question: Question = {
    dimensions: labelled(dimensions),
    measures: labelled(measures),
    filters: filters as Typed[],
    resultFilters: resultFilters as Typed[],
    sort: input.isFromEnd ? orderFromEnd(sort, dimensions.length) : sort,
    totals: input.totals,
    ...(time ? { time } : {}),
  };
  return {
    question,
    columns: (bound as BoundColumn[]).map(({ column }) => column),
    warnings: binder.warnings,
    ofPeriods: (measures as BoundColumn[]).filter(({ tree }) => isOfPeriods(tree)).map(({ column }) => column.name),
  };
}
