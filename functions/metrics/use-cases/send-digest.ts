import { type StoredRun, stopReason } from '../../../shared/domains/metric-reports/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { DigestDeps, Named } from './context.ts';
import { findDigest, shownRun } from './find-digest.ts';

const HOUR_MS = 60 * 60 * 1000;
const MAX_AN_HOUR = 5;
/** More than there can be in an hour, with those of the schedule. */
const RECENT_RUNS = 20;

/** Starts a run. Throws `METRIC_DIGEST_STOPPED`, `MAIL_NOT_CONFIGURED` or `RATE_LIMITED`. */
export async function sendDigest(deps: DigestDeps, command: Named & { runId: string; userId: string }) {
  if (!deps.sendsMail) throw new AppError('MAIL_NOT_CONFIGURED');
  const { workspaceId, id: digestId, runId, userId } = command;
  const digest = await findDigest(deps, command);
  const now = deps.now();
  const place = { workspaceId, digestId, runId };
  const people = [digest.owner, ...digest.recipients].map((each) => each.userId);
  const [members, metrics, earlier] = await Promise.all([
    deps.members(workspaceId, people),
    deps.metrics.getMany(workspaceId, digest.metricIds),
    deps.runs.list({ workspaceId, digestId }, RECENT_RUNS),
  ]);
  if (stopReason(digest, members) !== null || metrics.length === 0) throw new AppError('METRIC_DIGEST_STOPPED');
  assertRarely(
    earlier.filter(({ id }) => id !== runId),
    now,
  );
  const run: StoredRun = {
    id: runId,
    workspaceId,
    digestId,
    status: 'queued',
    reason: null,
    trigger: { kind: 'manual', scheduledAt: null, actor: userId },
    recipients: digest.recipients,
    recipientCount: digest.recipients.length,
    createdAt: now.toISOString(),
    finishedAt: null,
  };
  // The tick continues the run if the message is lost.
  await deps.runs.create(run, new Date(now.getTime() + 60_000), await deps.logSending(digest));
  await deps.queue.send([{ message: { op: 'digest-run', ...place }, delaySeconds: 0 }]);
  return shownRun((await deps.runs.get(place)) ?? run);
}

function assertRarely(earlier: readonly StoredRun[], now: Date): void {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const recent = earlier.filter(({ trigger, createdAt }) => trigger.kind === 'manual' && createdAt > since);
  if (recent.length < MAX_AN_HOUR) return;
  const retryAfterSeconds = Math.ceil((Date.parse(recent.at(-1)!.createdAt) + HOUR_MS - now.getTime()) / 1000);
  const detail = `A digest can be sent by hand ${MAX_AN_HOUR} times an hour. Try again after the time in Retry-After.`;
  throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds });
}
