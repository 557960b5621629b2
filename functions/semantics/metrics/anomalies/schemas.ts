import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DetectedAnomaly, FEEDBACK } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { MetricParams } from '../schemas.ts';

export const AnomalyParams = Type.Object({
  ...MetricParams.properties,
  anomalyId: Type.String({ format: 'uuid', description: 'The id of the detected anomaly.' }),
});

export const DetectedAnomaliesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many anomalies to return.' }),
});

export const DetectedAnomalies = Type.Object(
  {
    items: Type.Array(DetectedAnomaly, { description: 'Anomalies, most recent period first.' }),
    isHidden: Type.Boolean({
      description: 'Whether anomalies are not shown because the model restricts rows or columns now.',
    }),
  },
  { $id: 'DetectedAnomalies', description: 'The unusual values that the scheduled checks of a metric have found.' },
);
export type DetectedAnomalies = Static<typeof DetectedAnomalies>;

export const ReviewAnomaly = Type.Object(
  { status: StringEnum(FEEDBACK, { description: '`confirmed` for a real incident, `dismissed` for a false alarm.' }) },
  { $id: 'ReviewAnomaly', description: 'What a person says about an anomaly.' },
);
export type ReviewAnomaly = Static<typeof ReviewAnomaly>;
