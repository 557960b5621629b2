import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ChartDeps } from '../../boards/charts/index.ts';
import { type COMPARISONS, metricValue, momentOf, showFormat } from '../../semantics/metrics/index.ts';
import { type BlockRowsDeps, blockRows } from './block-rows.ts';
import type { MetricSource, ShowValue, ValueReader } from './inline-values.ts';

/** How a change is shown if the value has no format. */
const CHANGE_FORMAT = '+.1%';

/** The values of a story as the reader sees them now. */
export const liveValues = (deps: BlockRowsDeps, principal: Principal): ValueReader => ({
  metric: (source, timeoutMs) => metricShown(deps, principal, source, timeoutMs),
  async rows(block, section, timeoutMs) {
    const { rows } = await blockRows(deps, { block, section }, { principal, filters: [], timeoutMs });
    return { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][] };
  },
});

/** The value of a metric, or with `compare` its change. Throws `METRIC_NOT_FOUND`, and what metrics throw. */
export async function metricShown(
  deps: ChartDeps,
  principal: Principal,
  { metricId, asOf: wanted, compare = 'none' }: MetricSource,
  timeoutMs: number,
): Promise<ShowValue> {
  const { workspaceId } = principal;
  const metric = await deps.metrics.get(workspaceId, metricId);
  if (!metric) throw new AppError('METRIC_NOT_FOUND');
  const definition = await deps.definitions.read({ workspaceId, modelId: metric.modelId });
  const asOf = momentOf(wanted, { timezone: metric.timezone, now: deps.now() });
  if (!(asOf instanceof Date)) throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/asOf', ...asOf }] });
  const asked = { definition, metric, principal, timezone: metric.timezone, timeoutMs };
  const request = { asOf, compare: compare as (typeof COMPARISONS)[number], includePartial: true };
  const { value, comparison } = await metricValue(deps, asked, request);
  if (compare === 'none') return { amount: value, format: showFormat(metric, definition) };
  const changePct = comparison?.changePct ?? null;
  return { amount: changePct === null ? null : changePct / 100, format: CHANGE_FORMAT };
}
