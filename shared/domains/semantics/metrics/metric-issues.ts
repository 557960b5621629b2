import type { Issue } from '../../../platform/errors/app-error.ts';
import { isMissing, isStaleField, liveMeasures, type ModelDefinition, measureAnalysis } from '../models/index.ts';
import type { MetricAggregation, MetricDefinition } from './records.ts';

const NUMBERS: readonly string[] = ['number', 'integer', 'decimal'];
const COUNTS: readonly (MetricAggregation | null)[] = ['count', 'count_distinct'];

/** Why the model cannot answer for the metric, apart from its filters and joins: these take a question. */
export function metricIssues(definition: ModelDefinition, metric: MetricDefinition): Issue[] {
  return [...valueIssues(definition, metric), ...timeIssues(definition, metric)];
}

function valueIssues(definition: ModelDefinition, metric: MetricDefinition): Issue[] {
  const { measureId, fieldId, aggregation } = metric;
  if ((measureId === null) === (fieldId === null)) {
    const message = 'or `fieldId` is required, and only one of them';
    return [{ pointer: '/measureId', code: 'REQUIRED', message }];
  }
  if (measureId !== null) {
    if (aggregation === null) return measureIssues(definition, measureId);
    return [{ pointer: '/aggregation', code: 'CONFLICT', message: 'belongs to `fieldId`; a measure has its own' }];
  }
  const issues = fieldIssues(definition, fieldId!, '/fieldId');
  if (issues.length > 0) return issues;
  if (aggregation === null) {
    return [{ pointer: '/aggregation', code: 'REQUIRED', message: 'is required together with `fieldId`' }];
  }
  const { name, dataType } = definition.fields.get(fieldId!)!;
  if (COUNTS.includes(aggregation) || NUMBERS.includes(dataType)) return [];
  const message = `${aggregation} needs numbers, but ${name} is a ${dataType}; use count or count_distinct`;
  return [{ pointer: '/aggregation', code: 'NOT_A_NUMBER', message }];
}

function measureIssues(definition: ModelDefinition, measureId: string): Issue[] {
  const pointer = '/measureId';
  const measure = liveMeasures(definition).find(({ id }) => id === measureId);
  if (!measure) return [{ pointer, code: 'UNKNOWN_MEASURE', message: 'is not a measure of the model' }];
  const error = measureAnalysis(definition, measure).diagnostics.find(({ severity }) => severity === 'error');
  if (error) return [{ pointer, code: 'MEASURE_STALE', message: `${measure.name}: ${error.message}` }];
  if (NUMBERS.includes(measure.dataType)) return [];
  return [{ pointer, code: 'NOT_A_NUMBER', message: `${measure.name} is a ${measure.dataType}; a metric is a number` }];
}

function timeIssues(definition: ModelDefinition, { timeFieldId }: MetricDefinition): Issue[] {
  const pointer = '/timeFieldId';
  const issues = fieldIssues(definition, timeFieldId, pointer);
  if (issues.length > 0) return issues;
  const { name, dataType } = definition.fields.get(timeFieldId)!;
  if (dataType === 'date' || dataType === 'datetime') return [];
  return [{ pointer, code: 'NOT_A_TIME', message: `${name} is a ${dataType}; the time field is a date or a datetime` }];
}

function fieldIssues(definition: ModelDefinition, fieldId: string, pointer: string): Issue[] {
  const field = definition.fields.get(fieldId);
  if (!field) return [{ pointer, code: 'UNKNOWN_FIELD', message: 'is not a field of the model' }];
  if (isMissing(definition, field)) {
    return [{ pointer, code: 'FIELD_MISSING', message: `the source has no column ${field.sourceColumn}` }];
  }
  if (!isStaleField(definition, field)) return [];
  return [{ pointer, code: 'FIELD_STALE', message: `the expression of ${field.name} has errors` }];
}
