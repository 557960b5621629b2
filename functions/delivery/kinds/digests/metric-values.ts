import type { EventData } from '../../../../shared/domains/events/events/index.ts';
import {
  formatAmount,
  isDenied,
  isProtected,
  type MetricRecord,
  type MetricValue,
  metricValue,
  publicReader,
  showFormat,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import type { QuestionDeps } from '../../../../shared/domains/semantics/questions/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Figure } from '../../../../shared/platform/mail/compose.ts';
import { figureOf, unavailableFigure } from './digest-figures.ts';

export interface ValueDeps extends QuestionDeps {
  report(error: Error, metric: MetricRecord): void;
}

const TIMEOUT_MS = 25_000;

/** The value that a digest shows: of the newest complete day, and of longer periods as far as they have passed. */
async function digestValue(deps: QuestionDeps, metric: MetricRecord, principal: Principal, asOf: Date) {
  const { workspaceId, modelId, timezone, grain } = metric;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const asked = { definition, metric, principal, timezone, timeoutMs: TIMEOUT_MS };
  const value = await metricValue(deps, asked, { asOf, compare: 'previous_period', includePartial: grain !== 'day' });
  return { value, metric: { ...metric, format: showFormat(metric, definition) } };
}

/** What the metric shows to a member; undefined if they may not see what it is computed from. */
export async function memberFigure(
  deps: ValueDeps,
  metric: MetricRecord,
  { userId, companyId, at }: { userId: string; companyId: string; at: Date },
): Promise<Figure | undefined> {
  const { workspaceId } = metric;
  const principal = await memberPrincipal(deps.rights.table, { workspaceId, companyId, userId });
  if (!principal) return undefined;
  try {
    const shown = await digestValue(deps, metric, principal, at);
    return figureOf(shown.metric, shown.value);
  } catch (error) {
    if (isDenied(error)) return undefined;
    return unavailableFigure(metric, reasonOf(deps, metric, error));
  }
}

function reasonOf(deps: ValueDeps, metric: MetricRecord, error: unknown): string {
  if (!(error instanceof AppError)) deps.report(error as Error, metric);
  const isStale = error instanceof AppError && error.code === 'METRIC_STALE';
  return isStale ? 'The metric no longer fits its model.' : 'The data could not be read.';
}

type EventMetric = EventData<'digest.sent'>['metrics'][number];

/** What every member may know of the metrics: those of protected models have no values. */
export async function publishedMetrics(
  deps: ValueDeps,
  metrics: readonly MetricRecord[],
  companyId: string,
  at: Date,
): Promise<EventMetric[]> {
  const published: EventMetric[] = [];
  for (const metric of metrics) {
    const shown = await publicValue(deps, metric, companyId, at);
    published.push(eventMetric(shown?.metric ?? metric, shown?.value));
  }
  return published;
}

async function publicValue(
  deps: ValueDeps,
  metric: MetricRecord,
  companyId: string,
  at: Date,
): Promise<Awaited<ReturnType<typeof digestValue>> | undefined> {
  const { workspaceId, modelId } = metric;
  const principal = publicReader({ workspaceId, companyId });
  try {
    const definition = await deps.definitions.read({ workspaceId, modelId });
    if (await isProtected(deps.rights, definition, principal)) return undefined;
    return await digestValue(deps, metric, principal, at);
  } catch (error) {
    if (!(error instanceof AppError)) deps.report(error as Error, metric);
    return undefined;
  }
}

function eventMetric({ id, name, format, target }: MetricRecord, shown: MetricValue | undefined): EventMetric {
  const { value = null, comparison = null } = shown ?? {};
  const changePct = comparison?.changePct ?? null;
  return {
    metricId: id,
    metricName: name,
    value: value === null ? null : Number(value),
    displayValue: formatAmount(value, format),
    change: changePct === null ? null : changePct / 100,
    target: target?.value ?? null,
    ...(target && { displayTarget: formatAmount(target.value, format) }),
    paceStatus: shown?.target?.pace?.status ?? 'no_target',
  };
}
