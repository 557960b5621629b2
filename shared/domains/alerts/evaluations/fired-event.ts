import type { EventData } from '../../events/events/index.ts';
import { publicReader } from '../../semantics/metrics/index.ts';
import type { AlertRecord, PendingEdge } from '../rules/index.ts';
import { type AlertOpenDeps, openCondition, rightsClassOf } from '../sources/index.ts';
import type { EvaluationDeps } from './deps.ts';

/**
 * What webhooks get. Not every receiver may see protected rows, so that neither their value nor the name of a group is
 * among it. What cannot be resolved any more counts as protected.
 */
export async function firedEvent(
  { reading, table }: EvaluationDeps,
  { alert, companyId, classKey }: { alert: AlertRecord; companyId: string; classKey: string },
  { edge, group, at, value }: PendingEdge,
): Promise<EventData<'alert.fired'>> {
  const { id: alertId, workspaceId, name: alertName, condition } = alert;
  const isHidden = !(await isPublic(reading, { alert, companyId, classKey }));
  const metricId = condition.kind === 'metric' ? condition.metricId : null;
  const metric = metricId === null ? undefined : await reading.metrics.get(workspaceId, metricId);
  const { threshold, operator } = condition;
  const bounds = typeof threshold === 'number' ? [threshold] : Array.isArray(threshold) ? threshold : [];
  const path = `/api/dashboard-alerts/${alertId}`;
  return {
    workspaceId,
    alertId,
    alertName,
    state: edge === 'recover' ? 'ok' : 'triggered',
    metricId: metric ? metricId : null,
    metricName: metric?.name ?? null,
    operator,
    threshold: bounds,
    value: isHidden ? null : value,
    scheduledFor: at,
    firedAt: table.now().toISOString(),
    url: group === '' || isHidden ? path : `${path}?group=${encodeURIComponent(group)}`,
  };
}

/** Whether everyone sees what the class has read, which is not known once the source reads other tables. */
export async function isPublic(
  deps: AlertOpenDeps,
  { alert, companyId, classKey }: { alert: AlertRecord; companyId: string; classKey: string },
): Promise<boolean> {
  const reader = publicReader({ workspaceId: alert.workspaceId, companyId });
  const { condition, timezone } = alert;
  try {
    const opened = await openCondition(deps, reader, condition, { timezone });
    const { key, isProtected } = await rightsClassOf(deps, reader, opened);
    return !isProtected && (classKey === key || classKey.startsWith(`${key}.`));
  } catch {
    return false;
  }
}
