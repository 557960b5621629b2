import {
  certifiedMetric,
  completeChecks,
  type MetricRecord,
  meaningOfMetric,
  metricProblems,
  targetIssues,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import { changeCertification } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CreateMetric, Metric, UpdateMetric } from '../schemas.ts';
import type { MetricDeps } from './context.ts';
import { findMetric, showMetric } from './find-metric.ts';

/**
 * Throws `MODEL_NOT_FOUND`, `MEMBER_NOT_FOUND`, `METRIC_NAME_TAKEN`, or `VALIDATION_FAILED` with what the model cannot
 * answer.
 */
export async function createMetric(
  deps: MetricDeps,
  { id, principal, metric }: { id: string; principal: Principal; metric: CreateMetric },
): Promise<Metric> {
  const { workspaceId, userId } = principal;
  const { measureId = null, fieldId = null, aggregation = null, target = null, format = null, ...others } = metric;
  const { anomalyChecks = null, ...given } = others;
  const at = deps.now().toISOString();
  const record: MetricRecord = {
    id,
    workspaceId,
    ...given,
    measureId,
    fieldId,
    aggregation,
    target,
    format,
    anomalyChecks: completeChecks(anomalyChecks),
    ownerId: given.ownerId ?? userId,
    timezone: canonicalTimezone(given.timezone),
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  if (given.ownerId !== undefined) await assertMember(deps, record);
  await assertAnswerable(deps, record, principal);
  return showMetric(deps, await deps.metrics.create(record));
}

/** Throws the same codes, and `FORBIDDEN` if the caller may not certify. */
export async function updateMetric(
  deps: MetricDeps,
  { id, principal, change }: { id: string; principal: Principal; change: UpdateMetric },
): Promise<Metric> {
  const { workspaceId } = principal;
  const { isCertified, certifiedBy, ...members } = change;
  const isAsked = isCertified !== undefined || certifiedBy !== undefined;
  if (isAsked && !isPermitted('catalog:certify', principal))
    throw new AppError('FORBIDDEN', { detail: 'Only admins certify metrics.' });
  const metric = await onNewest('STALE_WRITE', async () => {
    const before = await findMetric(deps, { workspaceId, id });
    if (Object.keys(members).length > 0) return replaceMetric(deps, { principal, before, change: members });
    assertExpected(before.id, before.revision);
    return before;
  });
  if (isAsked) {
    const certified = certifiedMetric(deps.table, metric);
    await changeCertification(deps, { principal, certified, isCertified, certifiedBy });
  }
  return showMetric(deps, metric);
}

async function replaceMetric(
  deps: MetricDeps,
  command: { principal: Principal; before: MetricRecord; change: Omit<UpdateMetric, 'isCertified' | 'certifiedBy'> },
): Promise<MetricRecord> {
  const { principal, before, change } = command;
  const { anomalyChecks = before.anomalyChecks, ...members } = change;
  const next: MetricRecord = {
    ...before,
    ...members,
    anomalyChecks: completeChecks(anomalyChecks),
    timezone: canonicalTimezone(change.timezone ?? before.timezone),
    updatedBy: principal.userId,
    updatedAt: later(before.updatedAt, deps.now()),
  };
  if (next.ownerId !== before.ownerId) await assertMember(deps, next);
  const [was, is] = [before, next].map((each) => JSON.stringify([meaningOfMetric(each), each.target]));
  if (was !== is) await assertAnswerable(deps, next, principal);
  return deps.metrics.replace(before, next);
}

async function assertMember(deps: Pick<MetricDeps, 'members'>, { workspaceId, ownerId }: MetricRecord): Promise<void> {
  if (!(await deps.members(workspaceId, [ownerId])).has(ownerId)) throw new AppError('MEMBER_NOT_FOUND');
}

async function assertAnswerable(deps: MetricDeps, metric: MetricRecord, principal: Principal): Promise<void> {
  const { workspaceId, modelId, timezone } = metric;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const problems = await metricProblems(deps, { definition, metric, principal, timezone });
  const errors = [...problems, ...(metric.target ? targetIssues(metric.grain, metric.target) : [])];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
