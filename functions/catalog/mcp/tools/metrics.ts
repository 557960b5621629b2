import { COMPARISONS } from '../../../../shared/domains/semantics/metrics/index.ts';
import { FILLS } from '../../../../shared/domains/semantics/questions/index.ts';
import { GRAINS } from '../../../../shared/platform/schedule/periods.ts';
import type { Operations } from '../../common/operations.ts';
import { fittingItems } from '../limits.ts';
import type { Tool } from '../tool.ts';
import { readWithSource } from '../trust.ts';

const metricId = { type: 'string', format: 'uuid', description: 'The id of the metric.' };
const timezone = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'The IANA name of another time zone than that of the metric.',
};
const day = (description: string) => ({ type: 'string', format: 'date', description });

const readMetric = (operations: Operations, id: string, part: 'value' | 'series', query: Record<string, unknown>) =>
  readWithSource(
    operations,
    { type: 'metric', id },
    { group: 'metrics', method: 'GET', path: `/api/metrics/${id}/${part}`, query },
  );

export const metricValue: Tool = {
  name: 'metric_value',
  title: 'Read a metric',
  description:
    'The value of a metric for the period around a moment, beside an earlier period and the target, from the rows that you may see.',
  input: {
    type: 'object',
    properties: {
      metricId,
      asOf: {
        type: 'string',
        minLength: 10,
        maxLength: 40,
        description: 'The moment to look at, or a date such as `2026-01-31`; by default now.',
      },
      compare: {
        type: 'string',
        enum: COMPARISONS,
        default: 'previous_period',
        description: 'What to compare with.',
      },
      includePartial: {
        type: 'boolean',
        default: true,
        description: 'Whether the current period counts although it is incomplete.',
      },
      timezone,
    },
    required: ['metricId'],
  },
  async run({ metricId: id, ...query }, operations) {
    const { reply, source } = await readMetric(operations, id, 'value', query);
    return { value: { source, ...reply } };
  },
};

export const metricSeries: Tool = {
  name: 'metric_series',
  title: 'Read a metric over time',
  description: 'The values of a metric for consecutive periods, from the rows that you may see.',
  input: {
    type: 'object',
    properties: {
      metricId,
      from: day('The first period is the one that contains this date; by default a usual length before `to`.'),
      to: day('The last period is the one that contains this date; by default the current one.'),
      grain: { type: 'string', enum: GRAINS, description: 'Another length of a period than that of the metric.' },
      fill: { type: 'string', enum: FILLS, default: 'null', description: 'The value of periods without one.' },
      timezone,
    },
    required: ['metricId'],
  },
  async run({ metricId: id, ...query }, operations) {
    const { reply, source } = await readMetric(operations, id, 'series', query);
    const all: unknown[] = reply.points;
    // The latest periods are those that matter.
    const points = fittingItems([...all].reverse(), all.length).reverse();
    const isWhole = points.length === all.length;
    const advice = 'ask for a longer grain or a shorter time';
    const left = isWhole ? [] : [`Only the latest ${points.length} of ${all.length} periods fit; ${advice}.`];
    return { value: { source, ...reply, points, truncated: left.length > 0, warnings: left } };
  },
};
