import {
  CAPTURE_SHARDS,
  type CaptureContext,
  captureShard,
  captureTurn,
  streamRepository,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';

/** The length of a turn; between turns the stream's settings are read again. */
const TURN_MS = 30_000;
const LIST_EVERY_MS = 10_000;
/** The pause while another worker captures the stream, or its source is unreachable. */
const RETRY_PAUSE_MS = 1_000;
/** The due index sorts streams by their next turn; this bound includes all of them. */
const ANY_TIME = new Date('9999-12-31T00:00:00.000Z');

/**
 * Captures every continuously captured stream, each in its own turns, until the signal aborts. A stream whose turn
 * failed continues with the next listing.
 */
export async function followStreams(context: CaptureContext, signal: AbortSignal): Promise<void> {
  const following = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const place of await streamsToFollow(context)) {
      if (following.has(place.id)) continue;
      const followed = follow(context, place, signal)
        .catch((error: unknown) => context.report('a capture failed unexpectedly', { ...place, error }))
        .finally(() => following.delete(place.id));
      following.set(place.id, followed);
    }
    await pause(LIST_EVERY_MS, signal);
  }
  await Promise.all(following.values());
}

async function follow(context: CaptureContext, place: { workspaceId: string; id: string }, signal: AbortSignal) {
  const streams = streamRepository(context.table);
  while (!signal.aborted) {
    const stream = await streams.get(place.workspaceId, place.id);
    if (stream?.capture !== 'streaming') return;
    const until = new Date(context.now().getTime() + TURN_MS);
    const outcome = await captureTurn(context, place, until, signal);
    if (outcome === 'deleted' || outcome === 'paused') return;
    if (outcome !== 'more') await pause(RETRY_PAUSE_MS, signal);
  }
}

async function streamsToFollow({ table }: CaptureContext) {
  const streams = streamRepository(table);
  const found: { workspaceId: string; id: string }[] = [];
  for (let shard = 0; shard < CAPTURE_SHARDS; shard += 1) {
    for await (const { pk, sk: id } of dueItems(table, captureShard(shard), ANY_TIME)) {
      const workspaceId = pk.split('#')[1]!;
      const stream = await streams.get(workspaceId, id);
      if (stream?.capture === 'streaming') found.push({ workspaceId, id });
    }
  }
  return found;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
