import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import { Sweep } from '../../../shared/domains/semantics/metric-reports/index.ts';
import { metricProperties, metricRecord, SetAnomalyChecks } from '../../../shared/domains/semantics/metrics/index.ts';
import { shownCertification } from '../../../shared/domains/tenancy/certifications/index.ts';
import { accessSchemas, shownPermission } from '../../../shared/domains/tenancy/grants/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import { Id, idParams, Nullable, Page, searchedListQuery } from '../../../shared/platform/http/schemas.ts';

export const MetricParams = idParams('metric');

const shownMetric = { ...metricRecord, ...shownCertification, ...shownPermission, ...shownDefinition };

export const Metric = Type.Object(shownMetric, {
  $id: 'Metric',
  description:
    'A number that a workspace watches over time: what a model is asked for, by which period, and its target.',
});
export type Metric = Static<typeof Metric>;

export const MetricDiagnostic = Type.Object(
  {
    pointer: Type.String({ description: 'The member of the metric, such as `/timeFieldId`; empty for all of it.' }),
    code: Type.String(),
    message: Type.String(),
  },
  { $id: 'MetricDiagnostic', description: 'Why the model cannot answer for the metric.' },
);

export const MetricDetails = Type.Object(
  {
    ...shownMetric,
    stale: Type.Boolean({ description: 'Whether the model cannot answer for the metric any more.' }),
    diagnostics: Type.Array(MetricDiagnostic),
    sweep: Nullable(Sweep),
    whereUsed: Type.String({
      description: 'The path in the API of the list of what uses the metric, as far as the caller may see it.',
    }),
  },
  { $id: 'MetricDetails', description: 'A metric with its state.' },
);
export type MetricDetails = Static<typeof MetricDetails>;

export const MetricPage = Page(Metric);

export const MetricListQuery = Type.Object({
  ...searchedListQuery('metrics').properties,
  modelId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only metrics of this model.' })),
  isCertified: Type.Optional(Type.Boolean({ description: 'Only metrics that are certified, or only the others.' })),
});
export type MetricListQuery = Static<typeof MetricListQuery>;

const { name, description, modelId, measureId, fieldId, aggregation, timeFieldId, ...others } = metricProperties;
const { timezone, filters, target, format, ownerId, grain, direction } = others;

const anomalyChecks = Type.Optional(Nullable(SetAnomalyChecks));

export const CreateMetric = Type.Object(
  {
    name,
    description: Type.Unsafe<string>({ ...description, default: '' }),
    modelId,
    measureId: Type.Optional(measureId),
    fieldId: Type.Optional(fieldId),
    aggregation: Type.Optional(aggregation),
    timeFieldId,
    grain: Type.Unsafe<Static<typeof grain>>({ ...grain, default: 'month' }),
    timezone: Type.Unsafe<string>({ ...timezone, default: 'UTC' }),
    filters: Type.Unsafe<Static<typeof filters>>({ ...filters, default: [] }),
    direction: Type.Unsafe<Static<typeof direction>>({ ...direction, default: 'up_good' }),
    target: Type.Optional(target),
    format: Type.Optional(format),
    anomalyChecks,
    ownerId: Type.Optional(ownerId),
  },
  {
    $id: 'CreateMetric',
    description: 'A metric: a measure of a model, or a field with an `aggregation`, over the periods of a time field.',
  },
);
export type CreateMetric = Static<typeof CreateMetric>;

const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

export const UpdateMetric = Type.Object(
  {
    ...optional(metricProperties),
    anomalyChecks,
    isCertified: Type.Optional(Type.Boolean()),
    certifiedBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Who certifies the metric, such as a person or a team; the name of the caller when absent.',
      }),
    ),
  },
  { $id: 'UpdateMetric', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateMetric = Static<typeof UpdateMetric>;

export const { Access, AccessPage, SetAccess, AccessParams } = accessSchemas('metric', 'Metric', 'metric');
export type Access = Static<typeof Access>;
