import type { ModelDefinition } from '../definition/definition.ts';
import { liveMeasures } from '../definition/definition.ts';
import { fieldAnalysis, measureAnalysis, policyAnalysis } from '../expressions/expressions.ts';
import { isMissing } from '../parts/missing.ts';
import { failedTransform } from '../parts/transforms.ts';

export interface ModelState {
  staleMeasures: number;
  health: { errors: number; warnings: number };
}

export const GATE_CODES = [
  'MEASURE_STALE',
  'FIELD_STALE',
  'POLICY_STALE',
  'COLUMN_MISSING',
  'TABLE_MISSING',
  'TRANSFORM_INVALID',
  'DATA_QUALITY_LOW',
] as const;

/** Why a model should not be published yet, with the part that is concerned. */
export interface GateReason {
  code: (typeof GATE_CODES)[number];
  message: string;
  part: { type: 'measure' | 'field' | 'policy' | 'table' | 'transform'; id: string; name: string };
}

export function modelState(definition: ModelDefinition): ModelState {
  const warnings = analysesOf(definition).filter(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severity === 'warning'),
  );
  return {
    staleMeasures: liveMeasures(definition).filter((measure) => !measureAnalysis(definition, measure).ok).length,
    health: { errors: gateReasons(definition).length, warnings: warnings.length },
  };
}

function analysesOf(definition: ModelDefinition) {
  const calculated = [...definition.fields.values()].filter(({ expression }) => expression !== null);
  return [
    ...liveMeasures(definition).map((measure) => measureAnalysis(definition, measure)),
    ...calculated.map((field) => fieldAnalysis(definition, field)),
    ...[...definition.policies.values()].map((policy) => policyAnalysis(definition, policy)),
  ];
}

/** Everything that would make queries of the model fail. */
export function gateReasons(definition: ModelDefinition): GateReason[] {
  return [
    ...missingReasons(definition),
    ...transformReasons(definition),
    ...fieldReasons(definition),
    ...liveMeasures(definition).flatMap((measure): GateReason[] => {
      const message = errorIn(measureAnalysis(definition, measure));
      if (message === undefined) return [];
      return [{ code: 'MEASURE_STALE', message, part: { type: 'measure', id: measure.id, name: measure.name } }];
    }),
    ...[...definition.policies.values()].flatMap((policy): GateReason[] => {
      const message = errorIn(policyAnalysis(definition, policy));
      if (message === undefined) return [];
      return [{ code: 'POLICY_STALE', message, part: { type: 'policy', id: policy.id, name: policy.name } }];
    }),
  ];
}

const errorIn = ({ diagnostics }: { diagnostics: readonly { severity: string; message: string }[] }) =>
  diagnostics.find(({ severity }) => severity === 'error')?.message;

function missingReasons(definition: ModelDefinition): GateReason[] {
  return [...definition.tables.values()]
    .filter(({ missing }) => missing)
    .map(({ id, alias, sourceTable }) => ({
      code: 'TABLE_MISSING',
      message: `The source has no table ${sourceTable}.`,
      part: { type: 'table', id, name: alias },
    }));
}

function transformReasons(definition: ModelDefinition): GateReason[] {
  return [...definition.tables.keys()].flatMap((tableId): GateReason[] => {
    const step = failedTransform(definition, tableId);
    if (!step) return [];
    const message = `The transform step ${step.order} (${step.type}) does not fit the columns of the table.`;
    return [{ code: 'TRANSFORM_INVALID', message, part: { type: 'transform', id: step.id, name: step.label } }];
  });
}

function fieldReasons(definition: ModelDefinition): GateReason[] {
  return [...definition.fields.values()].flatMap((field): GateReason[] => {
    const part = { type: 'field' as const, id: field.id, name: field.name };
    const { alias, missing } = definition.tables.get(field.tableId)!;
    if (!missing && isMissing(definition, field))
      return [{ code: 'COLUMN_MISSING', message: `The table ${alias} has no column ${field.sourceColumn}.`, part }];
    const message = field.expression === null ? undefined : errorIn(fieldAnalysis(definition, field));
    return message === undefined ? [] : [{ code: 'FIELD_STALE', message, part }];
  });
}
