import type { Types } from '../../data/client.ts';
import type { Metric } from '../../data/metrics.ts';

/** A metric as its form has it: texts as they are typed. */
export interface Draft {
  name: string;
  description: string;
  modelId: string;
  /** Empty where a field is aggregated instead. */
  measureId: string;
  fieldId: string;
  aggregation: string;
  timeFieldId: string;
  grain: string;
  timezone: string;
  direction: string;
  filters: readonly Types.QuestionConditionInput[];
  target: string;
  targetFrom: string;
  targetBy: string;
  format: string;
  decimals: string;
  currency: string;
  abbreviate: boolean;
  ownerId: string;
}

/** The members whose issues the form shows at their fields. */
export const FIELDS: readonly string[] = [
  ...['name', 'description', 'modelId', 'measureId', 'fieldId', 'aggregation', 'timeFieldId', 'grain', 'timezone'],
  ...['ownerId', 'target', 'filters/'],
];

export const newDraft = (modelId: string, timezone: string): Draft => ({
  name: '',
  description: '',
  modelId,
  measureId: '',
  fieldId: '',
  aggregation: 'sum',
  timeFieldId: '',
  grain: 'month',
  timezone,
  direction: 'up_good',
  filters: [],
  target: '',
  targetFrom: '',
  targetBy: '',
  format: '',
  decimals: '',
  currency: '',
  abbreviate: false,
  ownerId: '',
});

export const draftOf = (metric: Metric): Draft => ({
  name: metric.name,
  description: metric.description,
  modelId: metric.modelId,
  measureId: metric.measureId ?? '',
  fieldId: metric.fieldId ?? '',
  aggregation: metric.aggregation ?? 'sum',
  timeFieldId: metric.timeFieldId,
  grain: metric.grain,
  timezone: metric.timezone,
  direction: metric.direction,
  filters: metric.filters as readonly Types.QuestionConditionInput[],
  target: metric.target ? String(metric.target.value) : '',
  targetFrom: metric.target?.from ?? '',
  targetBy: metric.target?.by ?? '',
  format: metric.format?.kind ?? '',
  decimals: metric.format?.decimals === undefined ? '' : String(metric.format.decimals),
  currency: metric.format?.currency ?? '',
  abbreviate: metric.format?.abbreviate === true,
  ownerId: metric.ownerId,
});

/** What the API takes. A pattern, which the form does not ask for, is kept. */
export function bodyOf(draft: Draft, kept: Types.MeasureFormat | null = null): Types.CreateMetric {
  const { measureId, fieldId, aggregation, target, targetBy, targetFrom, ownerId } = draft;
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    modelId: draft.modelId,
    measureId: measureId || null,
    fieldId: measureId ? null : fieldId,
    aggregation: measureId ? null : (aggregation as NonNullable<Types.CreateMetric['aggregation']>),
    timeFieldId: draft.timeFieldId,
    grain: draft.grain as NonNullable<Types.CreateMetric['grain']>,
    timezone: draft.timezone,
    direction: draft.direction as NonNullable<Types.CreateMetric['direction']>,
    filters: [...draft.filters],
    target:
      target === '' ? null : { value: Number(target), by: targetBy, ...(targetFrom !== '' && { from: targetFrom }) },
    format: formatOf(draft, kept),
    ...(ownerId && { ownerId }),
  };
}

function formatOf({ format, decimals, currency, abbreviate }: Draft, kept: Types.MeasureFormat | null) {
  if (format === '') return null;
  const pattern = kept?.kind === format ? kept.pattern : undefined;
  return {
    kind: format as Types.MeasureFormat['kind'],
    ...(decimals !== '' && { decimals: Number(decimals) }),
    ...(format === 'currency' && currency !== '' && { currency }),
    ...(abbreviate && { abbreviate }),
    ...(pattern !== undefined && { pattern }),
  };
}
