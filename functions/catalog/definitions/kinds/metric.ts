import * as Type from 'typebox';
import { metricProperties } from '../../../../shared/domains/semantics/metrics/index.ts';
import type { DefinitionKind } from './kind.ts';

const { name, description, modelId, measureId, fieldId, aggregation, timeFieldId } = metricProperties;
const { grain, timezone, filters, direction, target, format, anomalyChecks } = metricProperties;

/** The owner is in no file, and stays. */
export const metric: DefinitionKind = {
  kind: 'metric',
  members: Type.Object({
    name,
    description: { ...description, default: '' },
    modelId,
    measureId: { ...measureId, default: null },
    fieldId: { ...fieldId, default: null },
    aggregation: { ...aggregation, default: null },
    timeFieldId,
    grain: { ...grain, default: 'month' },
    timezone: { ...timezone, default: 'UTC' },
    filters: { ...filters, default: [] },
    direction: { ...direction, default: 'up_good' },
    target: { ...target, default: null },
    format: { ...format, default: null },
    anomalyChecks: { ...anomalyChecks, default: null },
  }),
  references: { modelId: 'model' },
  parts: { measureId: 'measure', fieldId: 'field', timeFieldId: 'field' },
};
