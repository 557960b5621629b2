import {
  CAPTURE_SHARDS,
  type CaptureContext,
  captureShard,
  captureTurn,
  streamRepository,
} from '../../../../shared/domains/cdc/index.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';

/** A turn is so long: then what was asked for of the stream is looked at again. */
const TURN_MS = 30_000;
const LOOK_EVERY_MS = 10_000;
/** Somebody else is at the stream, or its source is away for a moment. */
const AGAIN_MS = 1_000;
/** Streams lie in the due index at the instant of their next look, wherever that is. */
const ANY_TIME = new Date('9999-12-31T00:00:00.000Z');

/**
 * Follows every stream that is to be streamed, each in turns of its own, until the signal. A stream whose turn failed waits for the
 * next look.
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
    await pause(LOOK_EVERY_MS, signal);
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
    if (outcome !== 'more') await pause(AGAIN_MS, signal);
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
