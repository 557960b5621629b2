import type { EventData } from '../../../../shared/domains/events/index.ts';
import type { MailQueue } from '../../../../shared/domains/mails/index.ts';
import {
  type DigestContent,
  type DigestRecord,
  type DigestRepository,
  type DigestRuns,
  isPlanned,
  isStillMember,
  type MetricMessage,
  type MetricQueue,
  previousDigestAt,
  type RunPlace,
  type StoredMail,
  type StoredRun,
  scheduledRunId,
  stopReason,
} from '../../../../shared/domains/metric-reports/index.ts';
import type { MetricRecord } from '../../../../shared/domains/metrics/index.ts';
import type { Figure } from '../../../../shared/platform/mail/compose.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

const MINUTE_MS = 60_000;
/** The tick continues a run whose message was lost. */
const CONTINUE_AFTER_MS = 15 * MINUTE_MS;
const MAX_RUN_MS = 6 * 60 * MINUTE_MS;

export interface DigestDeps {
  digests: Pick<DigestRepository, 'get'>;
  runs: DigestRuns;
  metrics(workspaceId: string, ids: readonly string[]): Promise<MetricRecord[]>;
  /** Undefined while the workspace is deleted. */
  workspace(id: string): Promise<{ name: string; companyId: string } | undefined>;
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Named>>;
  /** What a metric shows to the person; undefined if they may not see what it is computed from. */
  figure(metric: MetricRecord, reader: { userId: string; companyId: string; at: Date }): Promise<Figure | undefined>;
  /** What every member may know of the metrics. */
  published(metrics: readonly MetricRecord[], companyId: string, at: Date): Promise<EventMetrics>;
  event(sent: Omit<EventData<'digest.sent'>, 'url' | 'sentAt'> & { runId: string; at: Date }): TransactItem;
  mails: MailQueue;
  queue: MetricQueue;
  now(): Date;
  /** Whether the worker must stop; the next message continues. */
  isOver(): boolean;
}

type Named = { name: string; membershipId?: string | undefined };
type EventMetrics = EventData<'digest.sent'>['metrics'];

/** Starts the run of an instant of the schedule once, however often its message is delivered. */
export async function runDueDigest(
  deps: DigestDeps,
  { workspaceId, digestId, scheduledAt }: Extract<MetricMessage, { op: 'digest-due' }>,
): Promise<void> {
  const at = new Date(scheduledAt);
  const digest = await deps.digests.get(workspaceId, digestId);
  if (!digest || !isPlanned(digest, at) || !(await deps.workspace(workspaceId))) return;
  const runId = scheduledRunId(digestId, at);
  const run = newRun(digest, { id: runId, trigger: { kind: 'schedule', scheduledAt, actor: null }, at: deps.now() });
  await deps.runs.create(run, new Date(deps.now().getTime() + CONTINUE_AFTER_MS));
  await continueRun(deps, { workspaceId, digestId, runId });
}

export function newRun(
  { id: digestId, workspaceId, recipients }: DigestRecord,
  { id, trigger, at }: Pick<StoredRun, 'id' | 'trigger'> & { at: Date },
): StoredRun {
  return {
    id,
    workspaceId,
    digestId,
    status: 'queued',
    reason: null,
    trigger,
    recipients,
    recipientCount: recipients.length,
    createdAt: at.toISOString(),
    finishedAt: null,
  };
}

interface Running {
  digest: DigestRecord;
  run: StoredRun;
  place: RunPlace;
  metrics: readonly MetricRecord[];
  members: ReadonlyMap<string, Named>;
  workspace: { name: string; companyId: string };
  /** The moment whose values the digest shows. */
  at: Date;
}

/** Writes the mails that are left, and ends the run. A mail that was written is sent again to the queue, not written again. */
export async function continueRun(deps: DigestDeps, place: RunPlace): Promise<void> {
  const run = await deps.runs.get(place);
  if (run?.status !== 'queued') return;
  const now = deps.now();
  const failed = { status: 'failed', reason: null } as const;
  if (now.getTime() - Date.parse(run.createdAt) > MAX_RUN_MS) return void (await deps.runs.end(place, failed, now, []));
  const { workspaceId, digestId } = place;
  const [digest, workspace] = await Promise.all([deps.digests.get(workspaceId, digestId), deps.workspace(workspaceId)]);
  if (!digest || !workspace) return void (await deps.runs.end(place, failed, now, []));
  const people = [digest.owner, ...run.recipients].map(({ userId }) => userId);
  const [members, found] = await Promise.all([
    deps.members(workspaceId, people),
    deps.metrics(workspaceId, digest.metricIds),
  ]);
  const byId = new Map(found.map((metric) => [metric.id, metric]));
  const metrics = digest.metricIds.flatMap((id) => byId.get(id) ?? []);
  const reason =
    stopReason({ ...digest, recipients: run.recipients }, members) ?? (metrics.length === 0 ? 'NO_METRICS' : null);
  if (reason !== null) return void (await deps.runs.end(place, { status: 'skipped', reason }, now, []));
  const at = new Date(run.trigger.scheduledAt ?? minuteOf(run.createdAt));
  await writeMails(deps, { digest, run, place, metrics, members, workspace, at });
}

async function writeMails(deps: DigestDeps, running: Running): Promise<void> {
  const { run, place, digest, metrics, workspace, at } = running;
  const written = new Map((await deps.runs.mails(place)).map((mail) => [mail.userId, mail]));
  for (const recipient of run.recipients) {
    const known = written.get(recipient.userId);
    if (!known && deps.isOver()) {
      const { workspaceId, digestId, runId } = place;
      return deps.queue.send([{ message: { op: 'digest-run', workspaceId, digestId, runId }, delaySeconds: 0 }]);
    }
    const mail = known ?? (await writeMail(deps, running, recipient));
    const { workspaceId, digestId, runId, userId, status } = mail;
    if (status === 'queued') await deps.mails?.send({ kind: 'digest', workspaceId, digestId, runId, userId });
  }
  const { workspaceId } = place;
  const sent = {
    workspaceId,
    digestId: digest.id,
    digestName: digest.name,
    periodStart: (previousDigestAt(digest, at) ?? new Date(digest.createdAt)).toISOString(),
    periodEnd: at.toISOString(),
    metrics: await deps.published(metrics, workspace.companyId, at),
    runId: run.id,
    at: deps.now(),
  };
  await deps.runs.end(place, { status: 'sent', reason: null }, deps.now(), [deps.event(sent)]);
}

async function writeMail(
  deps: DigestDeps,
  { place, digest, metrics, members, workspace, at }: Running,
  { userId, membershipId }: StoredRun['recipients'][number],
): Promise<StoredMail> {
  const base = { ...place, userId, membershipId, leftOutCount: 0, sentAt: null };
  const skipped = (reason: NonNullable<StoredMail['reason']>): StoredMail => ({ ...base, status: 'skipped', reason });
  let mail = skipped('NOT_A_MEMBER');
  if (isStillMember(members, { userId, membershipId })) {
    const figures: Figure[] = [];
    for (const metric of metrics) {
      const figure = await deps.figure(metric, { userId, companyId: workspace.companyId, at });
      if (figure) figures.push(figure);
    }
    const leftOutCount = metrics.length - figures.length;
    const content: DigestContent = {
      digestName: digest.name,
      workspaceName: workspace.name,
      ownerName: members.get(digest.owner.userId)!.name,
      figures,
    };
    mail =
      figures.length === 0
        ? { ...skipped('NO_METRICS_VISIBLE'), leftOutCount }
        : { ...base, leftOutCount, status: 'queued', reason: null, content };
  }
  await deps.runs.createMail(mail, deps.now());
  return mail;
}

/** Manual runs of one minute share cached answers. */
const minuteOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / MINUTE_MS) * MINUTE_MS;
