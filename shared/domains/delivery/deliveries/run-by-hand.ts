import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import type { DeliveryKind } from './kind.ts';
import type { ReportQueue } from './queue.ts';
import { type Delivery, newRun, type StoredRun } from './records.ts';
import type { DeliveryRuns } from './runs.ts';

const HOUR_MS = 60 * 60 * 1000;
const MAX_AN_HOUR = 5;
/** More than there can be in an hour, with those of the schedule. */
const RECENT_RUNS = 20;

interface Deps {
  kind: DeliveryKind;
  runs: DeliveryRuns;
  queue: Pick<ReportQueue, 'send'>;
  now(): Date;
}

/**
 * Starts a run by hand, with the entry of the audit log. Requests at the same time take turns. Throws `RATE_LIMITED`.
 */
export async function runByHand(
  { kind, runs, queue, now }: Deps,
  delivery: Delivery,
  { runId, userId, logged }: { runId: string; userId: string; logged: TransactItem[] },
): Promise<StoredRun> {
  const place = { workspaceId: delivery.workspaceId, deliveryId: delivery.id };
  const at = now();
  const run = newRun(delivery, { id: runId, trigger: { kind: 'manual', scheduledAt: null, actor: userId }, at });
  await onNewest('STALE_WRITE', async () => {
    const earlier = (await runs.list(place, RECENT_RUNS)).filter(
      ({ id, trigger }) => trigger.kind === 'manual' && id !== runId,
    );
    assertRarely(earlier, at);
    const turn = runs.turnAfter(
      place,
      earlier.map(({ id }) => id),
      at,
    );
    try {
      // The tick continues the run if the message is lost.
      await runs.create(place, run, new Date(at.getTime() + 60_000), [turn, ...logged]);
    } catch (cause) {
      if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  });
  await queue.send([{ message: { op: 'delivery-run', kind: kind.name, ...place, runId }, delaySeconds: 0 }]);
  return (await runs.get({ ...place, runId })) ?? run;
}

function assertRarely(earlier: readonly StoredRun[], now: Date): void {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const recent = earlier.filter(({ createdAt }) => createdAt > since);
  if (recent.length < MAX_AN_HOUR) return;
  const retryAfterSeconds = Math.ceil((Date.parse(recent.at(-1)!.createdAt) + HOUR_MS - now.getTime()) / 1000);
  const detail = `It can be sent manually ${MAX_AN_HOUR} times an hour. Try again after the time in Retry-After.`;
  throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds });
}
