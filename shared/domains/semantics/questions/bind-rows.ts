import type { RowsQuestion } from '../../../data/semantics/question.ts';
import { homeOfMeasure } from '../../../data/semantics/rows-leg.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { fieldsOf, type ModelDefinition, semanticModel } from '../models/index.ts';
import { type AnswerColumn, Binder, type BoundColumn } from './binder.ts';
import { type Clock, constantOf } from './conditions.ts';
import type { RowsInput } from './schemas.ts';

/** The rows behind one number of an answer. Throws `VALIDATION_FAILED` with every issue. */
export function bindRows(
  definition: ModelDefinition,
  input: RowsInput,
  { clock, denied }: { clock: Clock; denied: ReadonlySet<string> },
): { question: RowsQuestion; columns: readonly AnswerColumn[] } {
  const binder = new Binder(definition, clock, denied);
  const dimensions = input.dimensions.map((each, index) => binder.dimension(each, `/dimensions/${index}`));
  const measure = binder.measure(input.measure, '/measure');
  const filters = input.filters.map((each, index) => binder.filter(each, each.pointer ?? `/filters/${index}`));
  if (input.values.length !== dimensions.length) binder.report('/values', 'LENGTH', 'needs a value for each dimension');
  const group = dimensions.map((dimension, index) => {
    const value = input.values[index];
    if (!dimension || value === undefined) return undefined;
    const { tree } = dimension;
    const made = value === null ? null : constantOf(tree.type, value);
    if (made === null || !('issues' in made)) return { tree, value: made };
    const [{ code, message }] = made.issues as [Issue];
    return binder.report(`/values/${index}`, code, message);
  });
  const time = binder.timeOf(input.dimensions, dimensions);
  const wanted = input.columns.length > 0 || !measure ? input.columns : fieldsBehind(definition, measure, denied);
  const columns = wanted.map((each, index) => binder.dimension(each, `/columns/${index}`));
  if (measure && columns.length === 0)
    binder.report(
      '/columns',
      'REQUIRED',
      'is required, because the measure does not aggregate the rows of exactly one table',
    );
  binder.checkNames(columns, (index) => `/columns/${index}`);
  binder.throwIssues();

  const present = <T>(list: readonly (T | undefined)[]) => list as readonly T[];
  const shown = present<BoundColumn>(columns);
  return {
    question: {
      measures: [measure!.tree],
      columns: shown.map(({ label, tree }) => ({ label, tree })),
      filters: present(filters),
      group: present(group),
      ...(time ? { time } : {}),
      ...(definition.model.calendar ? { calendar: definition.model.calendar } : {}),
      limit: input.limit + 1,
    },
    columns: shown.map(({ column }) => column),
  };
}

/** The visible fields of the table whose rows the measure aggregates, if it is one. */
function fieldsBehind(definition: ModelDefinition, { tree }: BoundColumn, denied: ReadonlySet<string>) {
  const tableId = homeOfMeasure(semanticModel(definition), tree);
  if (tableId === undefined) return [];
  const fields = fieldsOf(definition, tableId).filter(({ id, isHidden }) => !isHidden && !denied.has(id));
  return fields.map(({ id }) => ({ fieldId: id }));
}
