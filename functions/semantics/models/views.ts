import type { TransformType } from '../../../shared/data/transforms/index.ts';
import {
  fieldsOf,
  fieldText,
  isMissing,
  isStaleField,
  type ModelDefinition,
  type ModelRecord,
  measureAnalysis,
  measureText,
  policyAnalysis,
  policyText,
  type ModelField as StoredField,
  type Measure as StoredMeasure,
  type Policy as StoredPolicy,
  type ModelTable as StoredTable,
  type Transform as StoredTransform,
} from '../../../shared/domains/semantics/models/index.ts';
import { type Certification, showCertification } from '../../../shared/domains/tenancy/certifications/index.ts';
import type { ShownPermission } from '../../../shared/domains/tenancy/grants/index.ts';
import type { Measure } from './expression-schemas.ts';
import type { Model, ModelField, ModelTable } from './schemas.ts';
import type { Policy } from './structure/schemas.ts';
import type { Transform } from './transforms/schemas.ts';

/** What replies show of stored parts. */
export function describeModel(
  record: ModelRecord,
  parts: { certification: Certification | undefined; permission: ShownPermission; now: Date },
): Model {
  const { edition: _edition, generation: _generation, publishRequest: _request, ...model } = record;
  const { certification, permission, now } = parts;
  return {
    ...model,
    calendar: model.calendar ?? null,
    parameters: [...(model.parameters ?? [])],
    ...showCertification(certification, now),
    permission,
  };
}

const placed = ({ model }: ModelDefinition) => ({ workspaceId: model.workspaceId, modelId: model.id });

export function showTable(definition: ModelDefinition, { columns: _columns, ...table }: StoredTable): ModelTable {
  return { ...placed(definition), ...table };
}

export function showField(definition: ModelDefinition, field: StoredField): ModelField {
  return {
    ...placed(definition),
    ...field,
    expression: fieldText(definition, field),
    missing: isMissing(definition, field),
    stale: isStaleField(definition, field),
  };
}

/** A part that is shown as it is stored. */
export const showPart = <T extends object>(definition: ModelDefinition, part: T) => ({
  ...placed(definition),
  ...part,
});

export function showMeasure(definition: ModelDefinition, measure: StoredMeasure): Measure {
  const { deletedAt: _deletedAt, ...shown } = measure;
  const { ok, diagnostics, dependsOn } = measureAnalysis(definition, measure);
  const expression = measureText(definition, measure);
  return { ...placed(definition), ...shown, expression, stale: !ok, diagnostics, dependsOn };
}

export function showPolicy(definition: ModelDefinition, policy: StoredPolicy): Policy {
  const { ok, diagnostics } = policyAnalysis(definition, policy);
  const filterExpression = policyText(definition, policy);
  return { ...placed(definition), ...policy, filterExpression, stale: !ok, diagnostics };
}

export const showTransform = (definition: ModelDefinition, step: StoredTransform): Transform => ({
  ...placed(definition),
  ...step,
  type: step.type as TransformType,
});

export const byAlias = (a: StoredTable, b: StoredTable) =>
  a.alias.localeCompare(b.alias, 'en') || (a.id < b.id ? -1 : 1);

export const showFields = (definition: ModelDefinition, tableId: string): ModelField[] =>
  fieldsOf(definition, tableId).map((field) => showField(definition, field));
