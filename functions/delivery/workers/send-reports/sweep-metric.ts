import type { ReportMessage } from '../../../../shared/domains/delivery/deliveries/index.ts';
import type {
  DetectedAnomaly,
  StoredSweep,
  SweepStore,
} from '../../../../shared/domains/semantics/metric-reports/index.ts';
import {
  type Anomaly,
  dateOf,
  isDenied,
  isProtected,
  isSwept,
  type MetricRecord,
  metricAnomalies,
  nextSweepAt,
  periodsToSweep,
  publicReader,
  showFormat,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import type { QuestionDeps } from '../../../../shared/domains/semantics/questions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { ERRORS } from '../../../../shared/platform/errors/catalogue.ts';
import { idAt } from '../../../../shared/platform/storage/ids.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface SweepDeps extends QuestionDeps {
  sweeps: SweepStore;
  isCertified(metric: MetricRecord): Promise<boolean>;
  metric(workspaceId: string, id: string): Promise<MetricRecord | undefined>;
  /** Undefined while the workspace is deleted. */
  workspace(id: string): Promise<{ companyId: string } | undefined>;
  event(metric: MetricRecord, anomaly: DetectedAnomaly): TransactItem;
}

const TIMEOUT_MS = 25_000;

type Place = { workspaceId: string; metricId: string };

/**
 * Checks the periods of a metric that have become complete. What a check finds is stored together with its events and
 * with how far the checks have come, so that each period is reported once. While the values cannot be read, the tick
 * repeats the check.
 */
export async function sweepMetric(deps: SweepDeps, message: Extract<ReportMessage, { op: 'sweep' }>): Promise<void> {
  const { workspaceId, metricId } = message;
  const place = { workspaceId, metricId };
  const [metric, seen, workspace] = await Promise.all([
    deps.metric(workspaceId, metricId),
    deps.sweeps.read(place),
    deps.workspace(workspaceId),
  ]);
  if (!metric || !isSwept(metric) || !workspace || seen?.dueAt === undefined) return;
  const now = deps.now();
  if (!(await deps.isCertified(metric)))
    return deps.sweeps.notChecked(place, { status: 'waiting', next: nextSweepAt(metric, now) });
  const periods = periodsToSweep(metric, seen.checkedUntil, now);
  if (!periods) {
    const next = nextSweepAt(metric, new Date(seen.checkedUntil!));
    return deps.sweeps.notChecked(place, { status: seen.status === 'protected' ? 'protected' : 'ok', next });
  }
  const next = nextSweepAt(metric, periods.until);
  const found = await anomaliesIn(deps, metric, { ...periods, companyId: workspace.companyId }).catch(
    (error: unknown) => unchecked(error),
  );
  if ('status' in found) {
    const isOver = found.status === 'protected';
    return deps.sweeps.notChecked(place, isOver ? { ...found, next } : found);
  }
  const shown = { ...metric, format: found.format };
  await store(deps, shown, { place, seen, until: periods.until, next, now, found: found.items });
}

/** A source that fails is no anomaly. */
function unchecked(error: unknown): Pick<StoredSweep, 'status' | 'error'> {
  if (isDenied(error)) return { status: 'protected' };
  if (!(error instanceof AppError)) throw error;
  return { status: 'failing', error: { code: error.code, message: ERRORS[error.code][1] } };
}

/**
 * Asked as a reader whom every member equals or exceeds; the values of protected models would leak rows, so they are
 * not checked.
 */
async function anomaliesIn(
  deps: SweepDeps,
  metric: MetricRecord,
  { first, last, companyId }: { first: number; last: number; companyId: string },
): Promise<{ items: Anomaly[]; format: MetricRecord['format'] } | { status: 'protected' }> {
  const { workspaceId, modelId, timezone, grain, anomalyChecks } = metric;
  const principal = publicReader({ workspaceId, companyId });
  const definition = await deps.definitions.read({ workspaceId, modelId });
  if (await isProtected(deps.rights, definition, principal)) return { status: 'protected' };
  const asked = { definition, metric, principal, timezone, timeoutMs: TIMEOUT_MS };
  const { threshold } = anomalyChecks!;
  const range = { from: dateOf(first), to: dateOf(last), grain, threshold, now: deps.now() };
  const { items } = await metricAnomalies(deps, asked, range);
  return { items, format: showFormat(metric, definition) };
}

async function store(
  deps: SweepDeps,
  metric: MetricRecord,
  checked: { place: Place; seen: StoredSweep; until: Date; next: Date; now: Date; found: readonly Anomaly[] },
): Promise<void> {
  const { place, seen, until, next, now } = checked;
  const found = checked.found.map((anomaly) => detected(metric, anomaly, now));
  const also = found.map((anomaly) => deps.event(metric, anomaly));
  await deps.sweeps.checked(place, seen, { until: until.toISOString(), at: now, next, found, also });
}

function detected({ id: metricId, grain }: MetricRecord, anomaly: Anomaly, at: Date): DetectedAnomaly {
  const { date, from, to, value, expected, expectedLow, expectedHigh, direction, score } = anomaly;
  return {
    id: idAt(new Date(from), 'metric-anomaly', metricId, grain),
    metricId,
    date,
    grain,
    from,
    to,
    // Where values add up, a period without rows is a zero.
    value: value ?? 0,
    ...{ expected, expectedLow, expectedHigh, direction, score },
    detectedAt: at.toISOString(),
    status: 'open',
    statusBy: null,
    statusAt: null,
  };
}
