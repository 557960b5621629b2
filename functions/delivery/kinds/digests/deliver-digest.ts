import {
  type Deliverable,
  type DeliveryRecipient,
  type DeliveryRun,
  previousDeliveryAt,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { EventData } from '../../../../shared/domains/events/events/index.ts';
import type { DigestRecord, StoredDigestMail } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { MetricRecord } from '../../../../shared/domains/semantics/metrics/index.ts';
import type { Figure } from '../../../../shared/platform/mail/compose.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface DigestDeps {
  metrics(workspaceId: string, ids: readonly string[]): Promise<MetricRecord[]>;
  /** What a metric shows to the person; undefined if they may not see what it is computed from. */
  figure(metric: MetricRecord, reader: { userId: string; companyId: string; at: Date }): Promise<Figure | undefined>;
  /** What every member may know of the metrics. */
  published(metrics: readonly MetricRecord[], companyId: string, at: Date): Promise<EventMetrics>;
  event(sent: Omit<EventData<'digest.sent'>, 'url' | 'sentAt'> & { runId: string; at: Date }): TransactItem;
  now(): Date;
}

type EventMetrics = EventData<'digest.sent'>['metrics'];
type DigestRun = DeliveryRun<DigestRecord>;

/** The metrics that are left, in the order of the digest. */
export async function openDigest(
  deps: DigestDeps,
  running: DigestRun,
): Promise<Deliverable<StoredDigestMail> | { stop: string }> {
  const { workspaceId, metricIds } = running.delivery;
  const byId = new Map((await deps.metrics(workspaceId, metricIds)).map((metric) => [metric.id, metric]));
  const metrics = metricIds.flatMap((id) => byId.get(id) ?? []);
  if (metrics.length === 0) return { stop: 'NO_METRICS' };
  return {
    write: async (recipient) => ({ mail: await digestMail(deps, running, metrics, recipient) }),
    left: (recipient) => skipped(recipient, 'NOT_A_MEMBER'),
    ended: async () => [deps.event(await sentOf(deps, running, metrics))],
  };
}

const mailOf = (recipient: DeliveryRecipient) => ({ ...recipient, leftOutCount: 0, sentAt: null });

const skipped = (recipient: DeliveryRecipient, reason: string): StoredDigestMail => ({
  ...mailOf(recipient),
  status: 'skipped',
  reason,
});

async function digestMail(
  deps: DigestDeps,
  { delivery: { name, owner }, members, workspace, at }: DigestRun,
  metrics: readonly MetricRecord[],
  recipient: DeliveryRecipient,
): Promise<StoredDigestMail> {
  const figures: Figure[] = [];
  for (const metric of metrics) {
    const figure = await deps.figure(metric, { userId: recipient.userId, companyId: workspace.companyId, at });
    if (figure) figures.push(figure);
  }
  const leftOutCount = metrics.length - figures.length;
  if (figures.length === 0) return { ...skipped(recipient, 'NO_METRICS_VISIBLE'), leftOutCount };
  const ownerName = members.get(owner.userId)!.name;
  const content = { digestName: name, workspaceName: workspace.name, ownerName, figures };
  return { ...mailOf(recipient), leftOutCount, status: 'queued', reason: null, content };
}

async function sentOf(deps: DigestDeps, { delivery, run, workspace, at }: DigestRun, metrics: readonly MetricRecord[]) {
  return {
    workspaceId: delivery.workspaceId,
    digestId: delivery.id,
    digestName: delivery.name,
    periodStart: (previousDeliveryAt(delivery, at) ?? new Date(delivery.createdAt)).toISOString(),
    periodEnd: at.toISOString(),
    metrics: await deps.published(metrics, workspace.companyId, at),
    runId: run.id,
    at: deps.now(),
  };
}
