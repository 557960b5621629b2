import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { DATASETS } from '../definition/datasets-source.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { isSameName } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Rollup } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps, touched } from '../definition/stamps.ts';

export type RollupInput = Pick<Rollup, 'name' | 'dimensions' | 'measures'>;

export function addRollup(definition: ModelDefinition, { id, ...input }: RollupInput & { id: string }, act: Act): Edit {
  if (definition.rollups.has(id)) return {};
  const rollup = { id, ...input, ...newStamps(act) };
  assertValid(definition, rollup);
  assertRoom(definition, 'rollups');
  return { put: { rollups: [rollup] } };
}

export function updateRollup(
  definition: ModelDefinition,
  { id, ...change }: Partial<RollupInput> & { id: string },
  act: Act,
): Edit {
  const rollup = changed(findPart(definition, 'rollups', id), change, act);
  assertValid(definition, rollup);
  return { put: { rollups: [rollup] } };
}

export function removeRollup(definition: ModelDefinition, { id }: { id: string }): Edit {
  assertRemovable(findPart(definition, 'rollups', id));
  return { remove: { rollups: [id] } };
}

/** Rollups without fields and measures that are gone; those without any measure left are removed. */
export function rollupsWithout(
  { rollups }: ModelDefinition,
  gone: ReadonlySet<string>,
  act: Act,
): { put: Rollup[]; remove: string[] } {
  const isGone = (part: { fieldId?: string; measureId?: string }) => gone.has((part.fieldId ?? part.measureId)!);
  const shortened = [...rollups.values()]
    .filter(({ dimensions, measures }) => [...dimensions, ...measures].some(isGone))
    .map((rollup) => ({
      ...rollup,
      dimensions: rollup.dimensions.filter((part) => !isGone(part)),
      measures: rollup.measures.filter((part) => !isGone(part)),
    }));
  return {
    put: shortened.filter(({ measures }) => measures.length > 0).map((each) => touched(each, act)),
    remove: shortened.filter(({ measures }) => measures.length === 0).map(({ id }) => id),
  };
}

function assertValid(definition: ModelDefinition, rollup: Rollup): void {
  const errors = rollupIssues(definition, rollup);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  for (const other of definition.rollups.values())
    if (other.id !== rollup.id && isSameName(other.name, rollup.name)) throw new AppError('MODEL_ROLLUP_NAME_TAKEN');
}

export function rollupIssues(definition: ModelDefinition, { dimensions, measures }: Rollup): Issue[] {
  const { model, fields } = definition;
  const issues: Issue[] = [];
  if (model.sourceId !== DATASETS) {
    const message = 'needs a model over datasets; the rows of databases are not stored';
    issues.push({ pointer: '', code: 'SOURCE', message });
  }
  dimensions.forEach(({ fieldId, grain }, index) => {
    const pointer = `/dimensions/${index}`;
    const field = fields.get(fieldId);
    if (!field) issues.push(unknownField(pointer));
    else if (grain && field.dataType !== 'date' && field.dataType !== 'datetime')
      issues.push({ pointer: `${pointer}/grain`, code: 'TYPE', message: 'needs a date or a datetime' });
    if (dimensions.findIndex((other) => other.fieldId === fieldId && other.grain === grain) < index)
      issues.push({ pointer, code: 'DUPLICATE', message: 'is already a dimension of the rollup' });
  });
  measures.forEach((measure, index) => {
    const pointer = `/measures/${index}`;
    const issue = measureIssue(definition, measure, pointer);
    if (issue) issues.push(issue);
  });
  return issues;
}

function measureIssue(
  { fields, measures }: ModelDefinition,
  { measureId, fieldId, aggregation }: Rollup['measures'][number],
  pointer: string,
): Issue | undefined {
  if ((measureId === undefined) === (fieldId === undefined))
    return { pointer, code: 'REQUIRED', message: 'needs either measureId or fieldId' };
  if (measureId !== undefined) {
    if (aggregation) return { pointer: `${pointer}/aggregation`, code: 'CONFLICT', message: 'needs a field' };
    const measure = measures.get(measureId);
    if (measure?.deletedAt === null) return undefined;
    return { pointer: `${pointer}/measureId`, code: 'UNKNOWN_MEASURE', message: 'is not a measure of the model' };
  }
  const field = fields.get(fieldId!);
  if (!field) return unknownField(pointer);
  if (aggregation || field.aggregation !== 'none') return undefined;
  return { pointer: `${pointer}/aggregation`, code: 'REQUIRED', message: 'is required, because the field has none' };
}

const unknownField = (pointer: string): Issue => ({
  pointer: `${pointer}/fieldId`,
  code: 'UNKNOWN_FIELD',
  message: 'is not a field of the model',
});
