import type { Side } from '../../../data/blends/join-sql.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { type CacheOutcome, rightsOf } from '../queries/index.ts';
import type { BlendDeps } from './deps.ts';
import type { BlendAnswer, BlendRequest } from './protocol.ts';
import type { ReadSide } from './side-statement.ts';

/** Versions of datasets are part of the key of a cached answer, so it stays valid until they change. */
const DATASETS_MAX_AGE_SECONDS = 60 * 60;

/** The answer of an equal request over the same data for the same rights, if it is fresh enough. */
export async function cachedAnswer(
  deps: BlendDeps,
  {
    request,
    compiled: { left, right },
    principal,
    maxAgeSeconds,
  }: {
    request: BlendRequest;
    compiled: Record<Side, ReadSide>;
    principal: Principal;
    maxAgeSeconds: number | undefined;
  },
): Promise<{ answer: BlendAnswer; cache: CacheOutcome; asOf: string }> {
  const run = async () => {
    await deps.admit?.();
    return deps.runBlend(request);
  };
  const isLive = left.isLive || right.isLive;
  const maxAge = maxAgeSeconds ?? (isLive ? (deps.liveMaxAgeSeconds ?? 0) : DATASETS_MAX_AGE_SECONDS);
  if (maxAge === 0) return { asOf: deps.now().toISOString(), answer: await run(), cache: 'miss' };
  const { keys, result, limit, timezone, timeoutMs } = request;
  const key = {
    sql: JSON.stringify([left.statement.sql, right.statement.sql, keys, result]),
    params: [left.statement.params, right.statement.params],
    timezone,
    limit,
    format: 'blend',
    rights: rightsOf(principal, JSON.stringify([left.fingerprint, right.fingerprint])),
    reads: [left.reads, right.reads],
  };
  const { text, outcome, asOf } = await deps.cache.through(
    request.workspaceId,
    key,
    { maxAgeSeconds: maxAge, waitMs: timeoutMs },
    async () => JSON.stringify(await run()),
  );
  return { answer: JSON.parse(text) as BlendAnswer, cache: outcome, asOf };
}
