import { AppError } from '../../../../platform/errors/app-error.ts';
import { liveMeasures, type ModelDefinition, type PartKind } from './definition.ts';

/** The maximum number of parts of a model. */
export const MAX_PARTS: Readonly<Record<PartKind, number>> = {
  tables: 500,
  fields: 10_000,
  relationships: 2_000,
  hierarchies: 500,
  policies: 500,
  measures: 2_000,
  rollups: 20,
  transforms: 2_000,
};

/** The maximum number of transform steps of one table. */
export const MAX_STEPS = 50;

/** Throws `MODEL_TOO_LARGE` if `more` parts would be too many. */
export function assertRoom(definition: ModelDefinition, kind: PartKind, more = 1): void {
  const count = kind === 'measures' ? liveMeasures(definition).length : definition[kind].size;
  assertCount(kind, count + more);
}

/** Throws `MODEL_TOO_LARGE` if a model cannot have as many parts. */
export function assertCount(kind: PartKind, count: number): void {
  if (count <= MAX_PARTS[kind]) return;
  throw new AppError('MODEL_TOO_LARGE', {
    detail: `A model has at most ${MAX_PARTS[kind].toLocaleString('en')} ${kind}; this one would have ${count.toLocaleString('en')}.`,
  });
}
