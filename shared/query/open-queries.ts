import { secretBox } from '../crypto/secret-box.ts';
import { dataSourceRepository } from '../data-sources/repository.ts';
import { readManifest } from '../datasets/manifests.ts';
import { rememberedManifests } from '../datasets/remembered-manifests.ts';
import { datasetRepository } from '../datasets/repository.ts';
import { engineFunction } from '../engine-function/client.ts';
import { environment, type OpenGroup } from '../http/open-group.ts';
import { guardFromEnvironment } from '../net/guard-from-environment.ts';
import { objectStore } from '../objects/object-store.ts';
import { connectionPool, POOL_LIMITS } from '../sources/connection-pool.ts';
import { newId } from '../storage/ids.ts';
import { liveSources } from './live-sources.ts';
import { resultCache } from './result-cache.ts';
import type { QueryDeps } from './run-query.ts';

/** What an endpoint group needs to run statements, from the environment that the stack sets. */
export function openQueries({ table, master, now }: OpenGroup): QueryDeps {
  const objects = objectStore(environment('DATA_BUCKET'));
  const engine = engineFunction(environment('ENGINE_FUNCTION'));
  return {
    datasets: datasetRepository(table),
    manifest: rememberedManifests((dataset) => readManifest(table, objects, dataset)),
    engine,
    cache: resultCache({
      table,
      objects,
      now,
      newId: () => newId(now()),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
    live: liveSources({
      sources: dataSourceRepository(table),
      secrets: secretBox(master),
      guard: guardFromEnvironment(),
      pool: connectionPool(POOL_LIMITS),
      engine,
    }),
    now,
    newId: () => newId(now()),
  };
}
