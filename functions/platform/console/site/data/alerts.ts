import { counted } from '../ui/format.ts';
import type { StatusKind } from '../ui/status.tsx';
import { api, type Types } from './client.ts';
import { useMetric } from './metrics.ts';
import { useTables } from './models.ts';
import { type Query, useQuery } from './query.ts';

export type Alert = Types.Alert;
export type Condition = Types.AlertCondition;
export type FieldCondition = Types.AlertFieldCondition;
export type MetricCondition = Types.AlertMetricCondition;

const EVERY_MS = 15_000;

export const useAlert = (id: string): Query<Alert> =>
  useQuery(['alerts', id], () => api.alerts.get(id), { everyMs: EVERY_MS });

const STATE_KINDS: Readonly<Record<string, StatusKind>> = {
  ok: 'succeeded',
  pending: 'waiting',
  triggered: 'failed',
  recovering: 'waiting',
  unknown: 'skipped',
};

export const kindOfState = (state: string): StatusKind => STATE_KINDS[state] ?? 'skipped';

/** How the alert stands, for the rows that the person may see. */
export function stateOf({ status, stopReason, state, health }: Alert): { kind: StatusKind; label: string } {
  if (status === 'paused') return { kind: 'cancelled', label: 'paused' };
  if (status === 'stopped') {
    return { kind: 'cancelled', label: stopReason === 'OWNER_INACTIVE' ? 'stopped: no owner' : 'stopped' };
  }
  if (health === 'error') return { kind: 'failed', label: 'cannot be evaluated' };
  if (state === undefined || state === 'unknown') return { kind: 'skipped', label: 'not evaluated yet' };
  if (health === 'no_data') return { kind: kindOfState(state), label: `${state}, no data` };
  return { kind: kindOfState(state), label: state };
}

/** What each operator is called between a value and a threshold. */
export const OPERATORS: Readonly<Record<string, string>> = {
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  eq: 'equals',
  ne: 'is not',
  between: 'is between',
  outside: 'is outside of',
  increases_by: 'increases by at least',
  decreases_by: 'decreases by at least',
  changes_by: 'changes by at least',
  unusual: 'is unusual',
  is_behind_target: 'is behind the pace of its target',
};

export const CHANGES: readonly string[] = ['increases_by', 'decreases_by', 'changes_by'];
export const RANGES: readonly string[] = ['between', 'outside'];

export const REDUCERS: Readonly<Record<string, string>> = {
  last: 'the last value',
  first: 'the first value',
  min: 'the smallest value',
  max: 'the largest value',
  sum: 'the sum',
  avg: 'the average',
  median: 'the median',
  count: 'the number of rows',
  any_row: 'any row',
};

/** The condition in a sentence, such as `The largest value of load in Load of hosts is greater than 80`. */
export function conditionInWords(condition: Condition, nameOf: (type: string, id: string) => string): string {
  const { operator, threshold, compare } = condition;
  const subject =
    condition.kind === 'metric'
      ? nameOf('metric', condition.metricId)
      : condition.reduce === 'any_row'
        ? `${condition.column} in any row of ${nameOf(condition.source.kind, condition.source.id)}`
        : `${REDUCERS[condition.reduce] ?? condition.reduce} of ${condition.column} in ${nameOf(condition.source.kind, condition.source.id)}`;
  const isPercent = CHANGES.includes(operator) && compare?.unit !== 'absolute';
  const rest = [
    subject,
    OPERATORS[operator] ?? operator,
    thresholdInWords(threshold) + (isPercent && threshold !== undefined ? '%' : ''),
    compare && CHANGES.includes(operator) ? `since the ${compare.to.replaceAll('_', ' ')}` : '',
    condition.kind === 'metric' && condition.filters?.length
      ? `(only rows that meet ${counted(condition.filters.length, 'condition')})`
      : '',
    condition.by ? `for each ${condition.by.column}` : '',
  ];
  const text = rest.filter(Boolean).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function thresholdInWords(threshold: Condition['threshold']): string {
  if (threshold === undefined) return '';
  if (Array.isArray(threshold)) return threshold.join(' and ');
  return typeof threshold === 'object' ? 'its target' : String(threshold);
}

/** What happened to those whom the alert notifies. */
export const EDGES: Readonly<Record<string, string>> = {
  fire: 'fired',
  repeat: 'still firing',
  recover: 'recovered',
  woke: 'snooze ended',
  error: 'could not be evaluated',
  error_over: 'evaluated again',
  no_data: 'no data',
  data_back: 'data is back',
};

/** The model of the metric that a condition is about, with its tables as far as they are read. */
export function useModelOf(condition: Condition) {
  const id = condition.kind === 'metric' ? condition.metricId : '';
  const modelId = useMetric(id, id !== '').data?.modelId ?? '';
  const tables = useTables(modelId).data ?? [];
  return { modelId, tables };
}

/** The name of what a condition reads; its kind until it is known, or if the person may not see it. */
export function useSubject(condition: Condition | undefined): string | undefined {
  const isMetric = condition?.kind === 'metric';
  const kind = isMetric ? 'metric' : condition?.kind === 'field' ? condition.source.kind : undefined;
  const id = isMetric ? condition.metricId : condition?.kind === 'field' ? condition.source.id : undefined;
  const read = READERS[kind ?? ''];
  return useQuery(['alerts', 'subject', kind, id], async () => (await read!(id!)).name, {
    enabled: read !== undefined && id !== undefined && id !== '',
  }).data;
}

const READERS: Readonly<Record<string, (id: string) => PromiseLike<{ name: string }>>> = {
  metric: (id) => api.metrics.get(id),
  dataset: (id) => api.datasets.get(id),
  savedQuery: (id) => api.savedQueries.get(id),
  model: (id) => api.models.get(id),
  blend: (id) => api.blends.get(id),
};

export const KIND_WORDS: Readonly<Record<string, string>> = {
  metric: 'a metric',
  savedQuery: 'a saved query',
  dataset: 'a dataset',
  model: 'a model',
  blend: 'a blend',
  card: 'a card',
};
