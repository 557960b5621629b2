import {
  checkPoints,
  DEFAULT_THRESHOLD,
  MAX_BASELINE,
  type Season,
  seasonLength,
} from '../../../data/statistics/robust-baseline.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { addPeriods, localTimeOf, startOfPeriod } from '../../../platform/schedule/periods.ts';
import {
  dateOf,
  type MetricGroup,
  type MetricRecord,
  metricGroups,
  metricSeries,
  metricValue,
} from '../../semantics/metrics/index.ts';
import { type MetricCondition, numberOf, type Reading } from '../conditions/index.ts';
import { datasetsOf, readsOfChart } from './chart-source.ts';
import { groupName, MAX_GROUPS } from './field-condition.ts';
import type { GroupReading, OpenedCondition, PastMoment, RawAnswer } from './opened-condition.ts';
import type { AlertOpenDeps, AlertReadDeps } from './reading-deps.ts';

const TIMEOUT_MS = 25_000;
const MINUTE_MS = 60_000;

type PaceStatus = 'ahead' | 'on_track' | 'behind';

/** What is read of a metric. */
interface MetricContent {
  value: number | null;
  base: number | null;
  pace: PaceStatus | null;
  /** Complete periods, the newest last; for `unusual` only. */
  points: (number | null)[];
  season: Season;
}

/** Throws `METRIC_NOT_FOUND`. */
export async function openMetric(
  deps: AlertOpenDeps,
  principal: Principal,
  condition: MetricCondition,
): Promise<OpenedCondition> {
  const { workspaceId } = principal;
  const { metricId, filters = [], includePartial = false, operator, compare, by, settle } = condition;
  const found = await deps.metrics.get(workspaceId, metricId);
  if (!found) throw new AppError('METRIC_NOT_FOUND');
  const metric = { ...found, grain: condition.grain ?? found.grain, filters: [...found.filters, ...filters] };
  const reads = await readsOfChart(deps, principal, { kind: 'metric', id: metricId });
  const { edition = 0 } = (await deps.definitions.read({ workspaceId, modelId: found.modelId })).model;
  const needs = {
    isSeries: operator === 'unusual',
    isPaced: operator === 'is_behind_target',
    compare: compareOf(operator, compare?.to),
    by: by ? { column: by.column, limit: by.limit ?? MAX_GROUPS } : null,
  };
  const settleMs = (settle?.minutes ?? 0) * MINUTE_MS;
  const settled = (at: Date) => new Date(at.getTime() - settleMs);
  return {
    key: JSON.stringify([
      ...['metric', metric.id, metric.revision, edition, metric.grain],
      ...[filters, includePartial, needs, settleMs],
    ]),
    reads,
    datasetIds: await datasetsOf(deps, workspaceId, reads),
    isRelative: true,
    differsByPerson: false,
    target: found.target?.value ?? null,
    readAnswer: (reading, reader, at) =>
      fetchMetric(reading, reader, { metric, needs, includePartial, at: settled(at) }),
    async past(reading, reader, last) {
      const now = settled(reading.now());
      const moments = await pastPeriods(reading, reader, { condition, metric, needs, includePartial, last, now });
      return moments?.map(({ at, read }) => ({ at: new Date(at.getTime() + settleMs), read })) ?? null;
    },
    interpret: (answer) => readMetric(condition, answer),
  };
}

interface Past extends Omit<Wanted, 'at'> {
  condition: MetricCondition;
  last: number;
  now: Date;
}

/**
 * The end of each of the last complete periods, of which one query reads all. Null where an evaluation then would have
 * read more than the periods before.
 */
async function pastPeriods(
  deps: AlertReadDeps,
  principal: Principal,
  { condition, metric, needs, includePartial, last, now }: Past,
): Promise<PastMoment[] | null> {
  if (needs.isPaced || needs.by || needs.compare === 'same_period_last_year' || includePartial) return null;
  const { grain } = metric;
  const season = seasonOf(grain);
  const before = needs.isSeries ? MAX_BASELINE * seasonLength(season) : 1;
  const series = await readPeriods(deps, principal, metric, { count: last + before, now });
  const complete = series.points.filter(({ isComplete }) => isComplete);
  const values = complete.map(({ value }) => numberOf(value));
  const columns = [{ name: metric.name, type: series.type }];
  return complete.flatMap(({ to }, index) => {
    if (index < before) return [];
    const points = values.slice(Math.max(0, index - before), index + 1);
    const base = needs.compare === 'none' ? null : (values[index - 1] ?? null);
    const content: MetricContent = { value: values[index]!, base, pace: null, points, season };
    return [{ at: new Date(to), read: async () => readMetric(condition, { columns, content }) }];
  });
}

/** The last periods before the current one. */
async function readPeriods(
  deps: AlertReadDeps,
  principal: Principal,
  metric: MetricRecord,
  { count, now }: { count: number; now: Date },
) {
  const { workspaceId, modelId, timezone, grain } = metric;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const asked = { definition, metric, principal, timezone, timeoutMs: TIMEOUT_MS };
  const current = startOfPeriod(grain, localTimeOf(timezone, now));
  const from = dateOf(addPeriods(grain, current, -count));
  return metricSeries(deps, asked, { from, grain, fill: 'null', now });
}

const compareOf = (
  operator: MetricCondition['operator'],
  to: NonNullable<MetricCondition['compare']>['to'] | undefined,
): 'previous_period' | 'same_period_last_year' | 'none' => {
  if (!operator.endsWith('_by') || to === 'previous_run') return 'none';
  return to ?? 'previous_period';
};

interface Wanted {
  metric: MetricRecord;
  needs: {
    isSeries: boolean;
    isPaced: boolean;
    compare: ReturnType<typeof compareOf>;
    by: { column: string; limit: number } | null;
  };
  includePartial: boolean;
  at: Date;
}

async function fetchMetric(
  deps: AlertReadDeps,
  principal: Principal,
  { metric, needs, includePartial, at }: Wanted,
): Promise<RawAnswer> {
  const { workspaceId, modelId, timezone, grain } = metric;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  // The target is a query of its own.
  const asked = { definition, principal, timezone, timeoutMs: TIMEOUT_MS };
  const aimed = { ...metric, target: needs.isPaced ? metric.target : null };
  if (needs.by) {
    const { column, limit } = needs.by;
    const request = { by: column, limit, compare: needs.compare, asOf: at, includePartial };
    const { type, groups, truncated } = await metricGroups(deps, { ...asked, metric }, request).catch(unreadableGroups);
    if (truncated) throw new AppError('ALERT_TOO_MANY_GROUPS');
    return { columns: [{ name: metric.name, type }], content: groups.map(groupContent) };
  }
  if (needs.isSeries) {
    const season = seasonOf(grain);
    const count = MAX_BASELINE * seasonLength(season) + 1;
    const series = await readPeriods(deps, principal, metric, { count, now: at });
    const points = series.points.filter(({ isComplete }) => isComplete).map(({ value }) => numberOf(value));
    const content: MetricContent = { value: points.at(-1) ?? null, base: null, pace: null, points, season };
    return { columns: [{ name: metric.name, type: series.type }], content };
  }
  const value = await metricValue(
    deps,
    { ...asked, metric: aimed },
    { asOf: at, compare: needs.compare, includePartial },
  );
  const content: MetricContent = {
    value: numberOf(value.value),
    base: numberOf(value.comparison?.value ?? null),
    pace: value.target?.pace?.status ?? null,
    points: [],
    season: 'none',
  };
  return { columns: [{ name: metric.name, type: value.type }], content };
}

/** A field that does not divide the metric is named in the condition. */
function unreadableGroups(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'VALIDATION_FAILED')) throw error;
  throw new AppError('ALERT_COLUMN_UNKNOWN', { errors: error.errors, cause: error });
}

const groupContent = ({ dimension, value, base }: MetricGroup): MetricContent & { group: string } => ({
  ...{ group: groupName(dimension), value: numberOf(value), base: numberOf(base) },
  ...{ pace: null, points: [], season: 'none' },
});

const seasonOf = (grain: MetricRecord['grain']): Season => (grain === 'day' ? 'day_of_week' : 'none');

function readMetric(condition: MetricCondition, { content }: RawAnswer): GroupReading[] {
  if (!condition.by) return [{ group: '', ...readingOf(condition, content as MetricContent) }];
  const groups = content as readonly (MetricContent & { group: string })[];
  return groups.map(({ group, ...each }) => ({ group, ...readingOf(condition, each) }));
}

function readingOf(
  { operator, threshold, compare }: MetricCondition,
  { value, base, pace, points, season }: MetricContent,
): Omit<GroupReading, 'group'> {
  const reading: Reading = value === null ? { kind: 'none', reason: 'NO_VALUE' } : { kind: 'value', value };
  const isPeriod = operator.endsWith('_by') && compare?.to !== 'previous_run';
  const limit = typeof threshold === 'number' ? threshold : DEFAULT_THRESHOLD;
  const around = {
    pace,
    ...(isPeriod && { base }),
    // Null while too few periods came before.
    ...(operator === 'unusual' && { score: checkPoints(points, { season, threshold: limit }).at(-1)?.score ?? null }),
  };
  return { reading, around };
}
