import { peopleOf, runByHand, stopReason } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { DIGESTS } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DigestDeps, Named } from '../use-cases/context.ts';
import { findDigest, showRun } from './find-digest.ts';

/** Starts a run. Throws `METRIC_DIGEST_STOPPED`, `MAIL_NOT_CONFIGURED` or `RATE_LIMITED`. */
export async function sendDigest(deps: DigestDeps, command: Named & { runId: string; userId: string }) {
  if (!deps.sendsMail) throw new AppError('MAIL_NOT_CONFIGURED');
  const { runId, userId } = command;
  const digest = await findDigest(deps, command);
  const [members, metrics] = await Promise.all([
    deps.members(digest.workspaceId, peopleOf(digest)),
    deps.metrics.getMany(digest.workspaceId, digest.metricIds),
  ]);
  if (stopReason(digest, members) !== null || metrics.length === 0) throw new AppError('METRIC_DIGEST_STOPPED');
  const run = { runId, userId, logged: await deps.logSending(digest) };
  return showRun(digest.id, await runByHand({ ...deps, kind: DIGESTS }, digest, run));
}
