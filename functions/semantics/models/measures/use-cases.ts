import {
  addMeasure,
  DATASETS,
  diagnoseMeasure,
  diagnoseRow,
  findPart,
  liveMeasures,
  measureReferences,
  previewMeasure as preview,
  removeMeasure,
  updateMeasure,
} from '../../../../shared/domains/semantics/models/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import { withReferences } from '../../../../shared/platform/storage/references.ts';
import { namedReferrers } from '../../../../shared/platform/storage/referrers.ts';
import type {
  CreateMeasure,
  ExpressionValidation,
  Measure,
  MeasurePreview,
  MeasureValidation,
  PreviewMeasure,
  UpdateMeasure,
  ValidateExpression,
  ValidateMeasure,
} from '../expression-schemas.ts';
import type { NamedPartsQuery } from '../schemas.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import { describeEdit } from '../use-cases/refuse-breaking-edit.ts';
import { showMeasure } from '../views.ts';

interface Place {
  workspaceId: string;
  modelId: string;
}

export async function listMeasures(
  deps: ModelDeps,
  { limit, offset, name, ...place }: Place & NamedPartsQuery,
): Promise<PageOf<Measure>> {
  const definition = await deps.definitions.read(place);
  const measures = liveMeasures(definition).filter((measure) => name === undefined || measure.name === name);
  const sorted = measures.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  return pageOf(sorted, { limit, offset }, (measure) => showMeasure(definition, measure));
}

export async function findMeasure(deps: ModelDeps, { mid, ...place }: Place & { mid: string }): Promise<Measure> {
  const definition = await deps.definitions.read(place);
  return showMeasure(definition, findPart(definition, 'measures', mid));
}

export async function createMeasure(
  deps: ModelDeps,
  { id, input, ...command }: EditCommand & { id: string; input: CreateMeasure },
): Promise<Measure> {
  const definition = await editModel(deps, command, (before, act) =>
    addMeasure(before, { id, format: null, ...input }, act),
  );
  return showMeasure(definition, findPart(definition, 'measures', id));
}

export async function changeMeasure(
  deps: ModelDeps,
  { mid: id, change, ...command }: EditCommand & { mid: string; change: UpdateMeasure },
): Promise<Measure> {
  const definition = await editModel(deps, command, (before, act) => updateMeasure(before, { id, ...change }, act));
  return showMeasure(definition, findPart(definition, 'measures', id));
}

/**
 * Throws `REFERENCED` if other measures, or records outside of the model, use the measure, or if anything would break.
 */
export async function deleteMeasure(
  deps: ModelDeps,
  command: EditCommand & { principal: Principal; mid: string },
): Promise<void> {
  const { workspaceId, modelId, mid: id } = command;
  const broken = await deps.findBroken(
    command.principal,
    describeEdit(deps, command, (definition) => {
      findPart(definition, 'measures', id);
      return { remove: { measures: [id] } };
    }),
  );
  const referrers = measureReferences(deps.table, modelId);
  await onNewest('STALE_WRITE', async () => {
    const usedBy = await namedReferrers(deps.table, referrers)(workspaceId, id);
    await withReferences(
      [referrers.removeItem(workspaceId, id)],
      (items) => editModel(deps, command, (before, act) => removeMeasure(before, { id, usedBy, broken }, act), items),
      (cause) => new AppError('STALE_WRITE', { cause }),
    );
  });
}

/** Throws `MODEL_MEASURE_NOT_FOUND` for a measure that does not exist; errors of the expression are diagnostics. */
export async function validateMeasure(
  deps: ModelDeps,
  { measureId, expression, ...place }: Place & ValidateMeasure,
): Promise<MeasureValidation> {
  const definition = await deps.definitions.read(place);
  if (measureId !== undefined) findPart(definition, 'measures', measureId);
  const { ok, diagnostics, dependsOn, valid } = diagnoseMeasure(definition, { text: expression, id: measureId });
  return { ok, diagnostics, dependsOn, dataType: valid?.dataType ?? null, additive: valid?.additive ?? null };
}

export async function validateExpression(
  deps: ModelDeps,
  { tableId, expression, ...place }: Place & ValidateExpression,
): Promise<ExpressionValidation> {
  const definition = await deps.definitions.read(place);
  if (tableId !== undefined) findPart(definition, 'tables', tableId);
  const { ok, diagnostics, valid } = diagnoseRow(definition, { text: expression, tableId });
  return { ok, diagnostics, dataType: valid?.dataType ?? null };
}

/** In the dialect of the source unless the request names one. */
export async function previewMeasure(
  deps: ModelDeps,
  { mid, dialect, ...place }: Place & PreviewMeasure & { mid: string },
): Promise<MeasurePreview> {
  const definition = await deps.definitions.read(place);
  const measure = findPart(definition, 'measures', mid);
  const own = definition.model.sourceId === DATASETS ? 'duckdb' : 'postgres';
  const { params, diagnostics, ...shown } = preview(definition, measure, { dialect: dialect ?? own, now: deps.now() });
  return { ...shown, params: [...params], diagnostics: [...diagnostics] };
}
