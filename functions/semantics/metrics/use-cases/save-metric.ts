import {
  completeChecks,
  type MetricRecord,
  metricProblems,
  targetIssues,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CreateMetric, UpdateMetric } from '../schemas.ts';
import type { MetricDeps } from './context.ts';
import { findMetric } from './find-metric.ts';

/**
 * Throws `MODEL_NOT_FOUND`, `MEMBER_NOT_FOUND`, `METRIC_NAME_TAKEN`, or `VALIDATION_FAILED` with what the model cannot
 * answer.
 */
export async function createMetric(
  deps: MetricDeps,
  { id, principal, metric }: { id: string; principal: Principal; metric: CreateMetric },
): Promise<MetricRecord> {
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
    isCertified: false,
    certifiedBy: null,
    certifiedAt: null,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  if (given.ownerId !== undefined) await assertMember(deps, record);
  await assertAnswerable(deps, record, principal);
  return deps.metrics.create(record);
}

/** Throws the same codes, and `FORBIDDEN` if the caller may not certify. */
export function updateMetric(
  deps: MetricDeps,
  { id, principal, change }: { id: string; principal: Principal; change: UpdateMetric },
): Promise<MetricRecord> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findMetric(deps, { workspaceId, id });
    const at = deps.now();
    const {
      isCertified: _isCertified,
      certifiedBy: _certifiedBy,
      anomalyChecks = before.anomalyChecks,
      ...members
    } = change;
    const changed: MetricRecord = {
      ...before,
      ...members,
      anomalyChecks: completeChecks(anomalyChecks),
      timezone: canonicalTimezone(change.timezone ?? before.timezone),
      updatedBy: userId,
      updatedAt: later(before.updatedAt, at),
    };
    const next = { ...changed, ...(await certification(deps, { before, changed, change, principal, at })) };
    if (next.ownerId !== before.ownerId) await assertMember(deps, next);
    if (isOtherwise(before, next)) await assertAnswerable(deps, next, principal);
    return deps.metrics.replace(before, next);
  });
}

/** The members that decide the numbers. */
const MEANING = [
  'modelId',
  'measureId',
  'fieldId',
  'aggregation',
  'timeFieldId',
  'grain',
  'timezone',
  'filters',
] as const;

const differ = (a: MetricRecord, b: MetricRecord, members: readonly (keyof MetricRecord)[]): boolean =>
  members.some((member) => JSON.stringify(a[member]) !== JSON.stringify(b[member]));

const isOtherwise = (a: MetricRecord, b: MetricRecord): boolean => differ(a, b, [...MEANING, 'target']);

/**
 * A certification keeps its time until the metric is certified again; it ends when others change what it vouches for.
 */
async function certification(
  deps: Pick<MetricDeps, 'members'>,
  command: {
    before: MetricRecord;
    changed: MetricRecord;
    change: UpdateMetric;
    principal: Principal;
    at: Date;
  },
): Promise<Partial<MetricRecord>> {
  const { before, changed, change, principal, at } = command;
  const none = { isCertified: false, certifiedBy: null, certifiedAt: null };
  const mayCertify = isPermitted('metrics:certify', principal);
  const isAsked = change.isCertified !== undefined || change.certifiedBy !== undefined;
  if (isAsked && !mayCertify) throw new AppError('FORBIDDEN', { detail: 'Only admins certify metrics.' });
  const isCertified = change.isCertified ?? before.isCertified;
  if (!isCertified) return none;
  if (before.isCertified && change.certifiedBy === undefined) {
    return mayCertify || !differ(before, changed, MEANING) ? {} : none;
  }
  const { workspaceId, userId } = principal;
  const name = async () => (await deps.members(workspaceId, [userId])).get(userId)?.name ?? userId;
  return { isCertified, certifiedBy: change.certifiedBy ?? (await name()), certifiedAt: at.toISOString() };
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
