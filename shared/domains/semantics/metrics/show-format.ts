import { type MeasureFormat, measureFormat } from '../../../data/value-formats/declared-format.ts';
import type { ModelDefinition } from '../models/index.ts';
import type { MetricRecord } from './records.ts';

/**
 * How the values are shown: in the format of the metric, otherwise as its measure or field declares it. Counts of a
 * field are not in its format.
 */
export function showFormat(
  { format, measureId, fieldId, aggregation }: Pick<MetricRecord, 'format' | 'measureId' | 'fieldId' | 'aggregation'>,
  { measures, fields }: Pick<ModelDefinition, 'measures' | 'fields'>,
): MeasureFormat | null {
  if (format) return format;
  if (measureId !== null) return measures.get(measureId)?.format ?? null;
  const field = fieldId === null ? undefined : fields.get(fieldId);
  const isCount = (aggregation ?? field?.aggregation)?.startsWith('count');
  return (!isCount && field?.format && measureFormat(field.format)) || null;
}
