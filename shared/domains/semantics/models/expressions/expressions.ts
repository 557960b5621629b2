import {
  type Analysis,
  analyze,
  type CheckOptions,
  type DataType,
  expressionIssues,
  fromStored,
  referencesOf,
  toStored,
} from '../../../../data/expressions/index.ts';
import { joinDiagnostics } from '../../../../data/semantics/measure-joins.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { liveMeasures } from '../definition/definition.ts';
import { MEASURE_TYPES, type Measure, type ModelField, type Policy } from '../definition/records.ts';
import { semanticModel } from '../definition/semantic-model.ts';
import { partnerIssues } from './partner-issues.ts';
import { modelScope, policyScope, tableScope } from './scope.ts';

/** What uses a measure. */
export interface Referrer {
  type: 'measure';
  id: string;
  name: string;
}

type MeasureType = Measure['dataType'];

/** The expression with the current names of what it refers to. */
export const measureText = (definition: ModelDefinition, { expression }: Measure): string =>
  fromStored(expression, modelScope(definition));

export const fieldText = (definition: ModelDefinition, { expression, tableId }: ModelField): string | null =>
  expression && fromStored(expression, tableScope(definition, tableId));

export const policyText = (definition: ModelDefinition, { filterExpression, tableId }: Policy): string =>
  fromStored(filterExpression, policyScope(definition, tableId));

/** A policy may read a table only if each row of its own table leads to one row of that table, and on one way. */
function analyzePolicy(definition: ModelDefinition, tableId: string, text: string): Analysis {
  const analysis = analyze(text, policyScope(definition, tableId), { purpose: 'policy' });
  const issues = analysis.valid ? partnerIssues(definition, tableId, analysis.valid.tree) : [];
  if (issues.length === 0) return analysis;
  const { valid: _valid, ...rest } = analysis;
  return { ...rest, ok: false, diagnostics: [...analysis.diagnostics, ...issues] };
}

/** Errors of a measure are also those of the joins that it needs: no question could be answered with it. */
function analyzeMeasure(definition: ModelDefinition, text: string, options: CheckOptions): Analysis {
  const analysis = analyze(text, modelScope(definition), options);
  const found = analysis.valid ? joinDiagnostics(semanticModel(definition), analysis.valid.tree) : [];
  if (found.length === 0) return analysis;
  const { valid: _valid, diagnostics, ...rest } = analysis;
  return { ...rest, ok: false, diagnostics: [...diagnostics, ...found] };
}

/** Definitions never change, so each part is analysed once. */
const ANALYSES = new WeakMap<ModelDefinition, Map<string, Analysis>>();

function analysed(definition: ModelDefinition, id: string, work: () => Analysis): Analysis {
  const known = ANALYSES.get(definition) ?? new Map<string, Analysis>();
  ANALYSES.set(definition, known);
  const analysis = known.get(id) ?? work();
  known.set(id, analysis);
  return analysis;
}

export const measureAnalysis = (definition: ModelDefinition, measure: Measure): Analysis =>
  analysed(definition, measure.id, () =>
    analyzeMeasure(definition, measureText(definition, measure), optionsOf(measure)),
  );

/** Of a calculated field. */
export const fieldAnalysis = (definition: ModelDefinition, field: ModelField): Analysis =>
  analysed(definition, field.id, () =>
    analyze(fieldText(definition, field)!, tableScope(definition, field.tableId), {
      purpose: 'row',
      self: field.id,
      declaredType: field.dataType,
    }),
  );

export const policyAnalysis = (definition: ModelDefinition, policy: Policy): Analysis =>
  analysed(definition, policy.id, () => analyzePolicy(definition, policy.tableId, policyText(definition, policy)));

const optionsOf = ({ id, dataType }: Measure): CheckOptions => ({
  purpose: 'measure',
  self: id,
  declaredType: dataType,
});

/** Whether the expression of a calculated field has errors. */
export const isStaleField = (definition: ModelDefinition, field: ModelField): boolean =>
  field.expression !== null && !fieldAnalysis(definition, field).ok;

/** The field with the expression in its stored form. Throws `VALIDATION_FAILED` with the diagnostics. */
export function checkedFieldExpression(definition: ModelDefinition, field: ModelField, text: string): ModelField {
  const scope = tableScope(definition, field.tableId);
  const options: CheckOptions = { purpose: 'row', self: field.id, declaredType: field.dataType };
  assertValid(text, analyze(text, scope, options), '/expression');
  return { ...field, expression: toStored(text, scope) };
}

/** The same for a policy. */
export function checkedPolicy(definition: ModelDefinition, policy: Policy, text: string): Policy {
  assertValid(text, analyzePolicy(definition, policy.tableId, text), '/filterExpression');
  return { ...policy, filterExpression: toStored(text, policyScope(definition, policy.tableId)) };
}

/** A new or changed measure: its type is that of the expression unless the author declares a wider one. */
export function checkedMeasure(
  definition: ModelDefinition,
  measure: Omit<Measure, 'expression' | 'dataType'>,
  { text, dataType }: { text: string; dataType?: MeasureType | undefined },
): Measure {
  const options: CheckOptions = {
    purpose: 'measure',
    self: measure.id,
    ...(dataType ? { declaredType: dataType } : {}),
  };
  const analysis = analyzeMeasure(definition, text, options);
  assertValid(text, analysis, '/expression');
  const type = dataType ?? typeOfMeasure(analysis.valid?.dataType);
  return { ...measure, dataType: type, expression: toStored(text, modelScope(definition)) };
}

function typeOfMeasure(type: DataType | undefined): MeasureType {
  if (type === undefined) return 'number';
  const found = MEASURE_TYPES.find((each) => each === type);
  if (found) return found;
  const message = `gives ${type}, which a measure cannot have; convert it to a date or a text`;
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/expression', code: '3005', message }] });
}

function assertValid(text: string, { ok, diagnostics }: Analysis, pointer: string): void {
  if (ok) return;
  throw new AppError('VALIDATION_FAILED', {
    errors: expressionIssues(text, diagnostics, pointer),
    members: { diagnostics },
  });
}

/** Measures that refer to the measure directly. */
export function referrersOfMeasure(definition: ModelDefinition, id: string): Referrer[] {
  return liveMeasures(definition)
    .filter(({ expression }) => referencesOf(expression).measures.includes(id))
    .map((measure) => ({ type: 'measure', id: measure.id, name: measure.name }));
}

/** The check of a text that an author is still writing. */
export function diagnoseMeasure(
  definition: ModelDefinition,
  { text, id }: { text: string; id?: string | undefined },
): Analysis {
  return analyzeMeasure(definition, text, { purpose: 'measure', ...(id === undefined ? {} : { self: id }) });
}

export function diagnoseRow(
  definition: ModelDefinition,
  { text, tableId }: { text: string; tableId?: string | undefined },
): Analysis {
  const scope = tableId === undefined ? modelScope(definition) : tableScope(definition, tableId);
  return analyze(text, scope, { purpose: 'row' });
}
