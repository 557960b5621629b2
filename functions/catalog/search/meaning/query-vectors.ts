import { setTimeout } from 'node:timers/promises';
import { type Vector, vectorOf } from '../../../../shared/domains/catalog/meaning/index.ts';
import type { EmbeddingFunction } from '../../../../shared/platform/ai/function/client.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';

/** What a search waits for its vector; later it is answered without. */
const PATIENCE_MS = 200;
/** A late vector serves the next search for the same. */
const MAX_CALL_MS = 5_000;
const MAX_KEPT = 2_000;

/** Why a search was not answered by meaning, although the workspace has vectors. */
export type Missed = 'timeout' | 'error';

export type QueryVectors = (workspaceId: string, model: string, text: string) => Promise<Vector | Missed>;

/** Vectors of what people search for. Never fails, and never takes long. */
export function queryVectors(ai: EmbeddingFunction): QueryVectors {
  const known = new LatestEntries<Promise<Vector | 'error'>>(MAX_KEPT);

  async function embed(workspaceId: string, model: string, text: string): Promise<Vector | 'error'> {
    const request = { workspaceId, purpose: 'search', texts: [text], timeoutMs: MAX_CALL_MS, maxRetries: 0 };
    const reply = await ai.embed(request).catch(() => undefined);
    // While a deployment gets another model, two functions may have different ones.
    return reply?.model === model && reply.vectors[0] ? vectorOf(reply.vectors[0]) : 'error';
  }

  return (workspaceId, model, text) => {
    // Other workspaces cannot find out by its speed what this one searched for.
    const key = JSON.stringify([workspaceId, model, text]);
    const asked = known.get(key) ?? embed(workspaceId, model, text);
    known.set(key, asked);
    asked.then((vector) => {
      if (vector === 'error' && known.get(key) === asked) known.delete(key);
    });
    const end = new AbortController();
    const patience = setTimeout(PATIENCE_MS, 'timeout' as const, { signal: end.signal }).catch(
      () => 'timeout' as const,
    );
    return Promise.race([asked, patience]).finally(() => end.abort());
  };
}
