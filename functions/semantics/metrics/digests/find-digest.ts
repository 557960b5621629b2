import {
  isStillMember,
  nextDeliveryAt,
  type People,
  peopleOf,
  runStateOf,
  type StoredMail,
  type StoredRun,
  stopReason,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { DigestMail, DigestRecord, DigestRun } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { DigestDeps, Named } from '../use-cases/context.ts';
import type { Digest, DigestListQuery, DigestRunDetails } from './schemas.ts';

const READS_AT_ONCE = 8;

export async function findDigest({ digests }: Pick<DigestDeps, 'digests'>, { workspaceId, id }: Named) {
  const digest = await digests.get(workspaceId, id);
  if (!digest) throw new AppError('METRIC_DIGEST_NOT_FOUND');
  return digest;
}

export async function getDigest(deps: DigestDeps, named: Named): Promise<Digest> {
  return showDigest(deps, await findDigest(deps, named));
}

/** Filtered by reading the records: a workspace has few digests. */
export async function listDigests(
  deps: DigestDeps,
  workspaceId: string,
  { search, isActive, ...request }: DigestListQuery,
): Promise<PageOf<Digest>> {
  const matches = searching(search, ({ name }: DigestRecord) => [name]);
  const page = await deps.digests.list(workspaceId, { ...request, having: { isActive }, matches });
  const members = await deps.members(workspaceId, page.items.flatMap(peopleOf));
  return { ...page, items: page.items.map((digest) => describeDigest(digest, members, deps.now())) };
}

export async function listDigestRuns(deps: DigestDeps, { limit, ...named }: Named & { limit: number }) {
  const { workspaceId, id: deliveryId } = await findDigest(deps, named);
  const place = { workspaceId, deliveryId };
  const runs = await deps.runs.list(place, limit);
  const mails = new Map<string, StoredMail[]>();
  await inParallel(READS_AT_ONCE, runs, async ({ id: runId, status }) => {
    if (status === 'sent') mails.set(runId, await deps.runs.mails({ ...place, runId }));
  });
  return { items: runs.map((run) => showRun(deliveryId, run, mails.get(run.id))) };
}

export async function getDigestRun(
  deps: DigestDeps,
  { runId, ...named }: Named & { runId: string },
): Promise<DigestRunDetails> {
  const { workspaceId, id: deliveryId } = await findDigest(deps, named);
  const place = { workspaceId, deliveryId, runId };
  const [run, mails] = await Promise.all([deps.runs.get(place), deps.runs.mails(place)]);
  if (!run) throw new AppError('METRIC_DIGEST_RUN_NOT_FOUND');
  const shown = mails.map(({ userId, status, reason, leftOutCount, sentAt }) => ({
    ...{ userId, status, reason: reason as DigestMail['reason'], leftOutCount, sentAt },
  }));
  return { ...showRun(deliveryId, run, mails), mails: shown };
}

/** Without what only the worker needs. */
export function showRun(digestId: string, run: StoredRun, mails: readonly StoredMail[] = []): DigestRun {
  const { id, reason, trigger, recipientCount, createdAt } = run;
  const { status, finishedAt } = runStateOf(run, mails);
  return {
    id,
    digestId,
    status,
    reason: reason as DigestRun['reason'],
    trigger,
    recipientCount,
    createdAt,
    finishedAt,
  };
}

export async function showDigest(deps: Pick<DigestDeps, 'members' | 'now'>, digest: DigestRecord): Promise<Digest> {
  return describeDigest(digest, await deps.members(digest.workspaceId, peopleOf(digest)), deps.now());
}

function describeDigest(digest: DigestRecord, members: People, now: Date): Digest {
  const { owner, recipients, unsubscribed: _unsubscribed, apiUrl: _apiUrl, ...shown } = digest;
  const reason = stopReason(digest, members);
  const status = reason !== null ? 'stopped' : digest.isActive ? 'active' : 'paused';
  return {
    ...shown,
    ownerId: owner.userId,
    recipientIds: recipients.filter((each) => isStillMember(members, each)).map(({ userId }) => userId),
    status,
    stopReason: reason,
    nextAt: status === 'active' ? (nextDeliveryAt(digest, now)?.toISOString() ?? null) : null,
  };
}
