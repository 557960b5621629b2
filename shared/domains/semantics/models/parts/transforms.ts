import type { Dialect } from '../../../../data/expressions/index.ts';
import {
  type Binding,
  bindTransforms,
  type ChainColumn,
  chainColumn,
  type SourceColumn,
  TRANSFORM_CONFIGS,
  type TransformType,
  unwritableStep,
} from '../../../../data/transforms/index.ts';
import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { transformsOf } from '../definition/definition.ts';
import { findOfTable, findPart } from '../definition/find-part.ts';
import { assertRoom, MAX_STEPS } from '../definition/limits.ts';
import { isSameColumn } from '../definition/protected-tables.ts';
import type { Transform } from '../definition/records.ts';
import { type Act, changed, newStamps, touched } from '../definition/stamps.ts';

interface Place {
  tableId: string;
  id: string;
}

export type TransformInput = Pick<Transform, 'config' | 'label'> & { type: TransformType };

/** Adds the step at the end. Throws `MODEL_TRANSFORM_INVALID` if it does not fit the columns that it receives. */
export function addTransform(
  definition: ModelDefinition,
  { id, tableId, ...input }: TransformInput & Place,
  act: Act,
): Edit {
  findPart(definition, 'tables', tableId);
  if (definition.transforms.has(id)) return {};
  const steps = transformsOf(definition, tableId);
  const step = { id, tableId, ...input, isEnabled: true, order: steps.length + 1, ...newStamps(act) };
  assertShape(step);
  if (steps.length >= MAX_STEPS)
    throw new AppError('MODEL_TOO_LARGE', { detail: `A table has at most ${MAX_STEPS} transform steps.` });
  assertRoom(definition, 'transforms');
  assertBinds(definition, tableId, [...steps, step], step);
  return { put: { transforms: [step] } };
}

export function updateTransform(
  definition: ModelDefinition,
  { id, tableId, ...change }: Partial<Pick<Transform, 'config' | 'label' | 'isEnabled'>> & Place,
  act: Act,
): Edit {
  const step = changed(findOfTable(definition, 'transforms', { tableId, id }), change, act);
  assertShape(step);
  const steps = transformsOf(definition, tableId).map((each) => (each.id === id ? step : each));
  assertBinds(definition, tableId, steps, step);
  return { put: { transforms: [step] } };
}

export function removeTransform(definition: ModelDefinition, { id, tableId }: Place, act: Act): Edit {
  const step = findOfTable(definition, 'transforms', { tableId, id });
  changed(step, {}, act);
  const left = transformsOf(definition, tableId).filter((each) => each.id !== id);
  assertBinds(definition, tableId, left);
  return { put: { transforms: renumbered(left, act) }, remove: { transforms: [id] } };
}

/** Throws `VALIDATION_FAILED` unless the ids are exactly those of the steps of the table. */
export function reorderTransforms(
  definition: ModelDefinition,
  { tableId, orderedIds }: { tableId: string; orderedIds: readonly string[] },
  act: Act,
): Edit {
  findPart(definition, 'tables', tableId);
  const steps = new Map(transformsOf(definition, tableId).map((step) => [step.id, step]));
  const issues = orderedIds.flatMap((id, index): Issue[] => {
    const pointer = `/orderedIds/${index}`;
    if (!steps.has(id)) return [{ pointer, code: 'UNKNOWN_STEP', message: 'is not a transform step of the table' }];
    return orderedIds.indexOf(id) < index ? [{ pointer, code: 'DUPLICATE', message: 'is listed twice' }] : [];
  });
  const omitted = [...steps.keys()].filter((id) => !orderedIds.includes(id));
  if (omitted.length > 0)
    issues.push({ pointer: '/orderedIds', code: 'INCOMPLETE', message: `must also have ${omitted.join(', ')}` });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const ordered = orderedIds.map((id) => steps.get(id)!);
  assertBinds(definition, tableId, ordered);
  return { put: { transforms: renumbered(ordered, act) } };
}

const renumbered = (steps: readonly Transform[], act: Act): Transform[] =>
  steps.flatMap((step, index) => (step.order === index + 1 ? [] : touched({ ...step, order: index + 1 }, act)));

function assertShape({ type, config }: Transform): void {
  const errors = shapeIssues(TRANSFORM_CONFIGS[type as TransformType], config, '/config');
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** Issues of the saved step have their place in the request; those of another step are named with it. */
function assertBinds(
  definition: ModelDefinition,
  tableId: string,
  steps: readonly Transform[],
  saved?: Transform,
): void {
  const problem = problemOf(definition, tableId, steps);
  if (!problem) return;
  const { failed, issues } = problem;
  const isSaved = failed.id === saved?.id;
  throw new AppError('MODEL_TRANSFORM_INVALID', {
    detail: isSaved
      ? 'The transform step does not fit the columns that it receives. Correct every place listed in `errors`.'
      : `The step ${failed.order} (${failed.type}) would not fit the columns that it receives then. Change it first.`,
    errors: issues.map(({ pointer, code, message }) => ({ pointer: `/config${pointer}`, code, message })),
    members: { stepId: failed.id },
  });
}

function problemOf(definition: ModelDefinition, tableId: string, steps: readonly Transform[]) {
  const bound = bindTransforms(sourceColumns(definition, tableId), steps);
  if ('failed' in bound) return bound;
  const { columns } = definition.tables.get(tableId)!;
  const unwritable = columns && unwritableStep(columns, steps);
  return unwritable && { failed: steps.find(({ id }) => id === unwritable.stepId)!, issues: unwritable.issues };
}

/** Definitions never change, so each chain is bound once. */
const BINDINGS = new WeakMap<ModelDefinition, Map<string, Binding<Transform>>>();

/** The steps with the columns at each; or the first step that does not fit. */
export function bindingOf(definition: ModelDefinition, tableId: string, dialect?: Dialect): Binding<Transform> {
  const known = BINDINGS.get(definition) ?? new Map<string, Binding<Transform>>();
  BINDINGS.set(definition, known);
  const key = `${tableId} ${dialect ?? ''}`;
  const binding =
    known.get(key) ?? bindTransforms(sourceColumns(definition, tableId, dialect), transformsOf(definition, tableId));
  known.set(key, binding);
  return binding;
}

function sourceColumns({ tables }: ModelDefinition, tableId: string, dialect?: Dialect): ChainColumn[] | null {
  const { columns } = tables.get(tableId)!;
  return columns?.map((column) => chainColumn(column, dialect)) ?? null;
}

/**
 * The columns that fields of the table can have: those after its transform steps. Null if they are not known. With a
 * dialect, each says how the database stores it.
 */
export function outputColumns(definition: ModelDefinition, tableId: string, dialect?: Dialect): ChainColumn[] | null {
  const binding = bindingOf(definition, tableId, dialect);
  return 'failed' in binding ? null : binding.columns;
}

/** The names of columns that steps leave of a source; undefined if the steps do not fit it. */
export function columnsAfterSteps(
  columns: readonly SourceColumn[],
  steps: readonly Transform[],
): ReadonlySet<string> | undefined {
  const binding = bindTransforms(
    columns.map((column) => chainColumn(column)),
    steps,
  );
  return 'failed' in binding ? undefined : new Set(binding.columns!.map(({ name }) => name));
}

/**
 * The columns that fields can still read if the source did not have the hidden ones: none if a step needs one of them,
 * or if the columns are not known.
 */
export function columnsWithout(definition: ModelDefinition, tableId: string, hidden: readonly string[]): string[] {
  const visible = sourceColumns(definition, tableId)?.filter(
    ({ name }) => !hidden.some((column) => isSameColumn(column, name)),
  );
  const bound = bindTransforms(visible ?? null, transformsOf(definition, tableId));
  return 'failed' in bound || !bound.columns ? [] : bound.columns.map(({ name }) => name);
}

/**
 * The column of the source that a column is after the steps, and what those do to its values: equal for columns with
 * the same values. Names that steps change do not count.
 */
export function changesOfColumn(definition: ModelDefinition, tableId: string, name: string): unknown {
  const changes: unknown[] = [];
  const steps = transformsOf(definition, tableId).filter(({ isEnabled }) => isEnabled);
  let column = name;
  for (const [index, { type, config }] of [...steps.entries()].reverse()) {
    const is = (named: unknown) => typeof named === 'string' && isSameColumn(named, column);
    if (type === 'rename_column' && is(config.to)) column = config.from as string;
    else if ((type === 'replace_values' || type === 'change_type') && is(config.column)) changes.push([type, config]);
    // What such a step computes depends on all steps before it.
    else if (isComputed(type, config, is)) {
      changes.push(steps.slice(0, index + 1).map((step) => [step.type, step.config]));
      break;
    }
  }
  return [column, changes];
}

function isComputed(type: string, config: Transform['config'], is: (named: unknown) => boolean): boolean {
  if (type === 'add_column') return is(config.name);
  if (type !== 'group_aggregate') return false;
  return (config.aggregations as { as: string }[]).some(({ as }) => is(as));
}

/** The first step that does not fit, which happens if columns of the source have changed. */
export function failedTransform(definition: ModelDefinition, tableId: string): Transform | undefined {
  const binding = bindingOf(definition, tableId);
  return 'failed' in binding ? binding.failed : undefined;
}
