import { connectionPool, POOL_LIMITS } from '../../../data/connectors/connection/connection-pool.ts';
import { secretBox } from '../../../platform/crypto/secret-box.ts';
import { environment, type OpenGroup } from '../../../platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../platform/net/guard-from-environment.ts';
import { objectStore } from '../../../platform/objects/object-store.ts';
import { newId } from '../../../platform/storage/ids.ts';
import { engineFunction } from '../../engine/index.ts';
import { cachedManifests, datasetRepository, readManifest } from '../../warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../warehouse/sources/index.ts';
import { rightsDeps } from '../row-rights/index.ts';
import { liveSources } from './live-sources.ts';
import { resultCache } from './result-cache.ts';
import type { QueryDeps } from './run-query.ts';

/** The dependencies for running statements, from the environment of a function. */
export function openQueries({ table, master, now }: Pick<OpenGroup, 'table' | 'master' | 'now'>): QueryDeps {
  const objects = objectStore(environment('DATA_BUCKET'));
  const engine = engineFunction(environment('ENGINE_FUNCTION'));
  return {
    datasets: datasetRepository(table),
    manifest: cachedManifests((dataset) => readManifest(table, objects, dataset)),
    engine,
    cache: resultCache({
      table,
      objects,
      now,
      newId: () => newId(now()),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      every: (ms, work) => {
        const timer = setInterval(work, ms);
        return () => clearInterval(timer);
      },
    }),
    live: liveSources({
      sources: dataSourceRepository(table),
      secrets: secretBox(master),
      guard: guardFromEnvironment(),
      pool: connectionPool(POOL_LIMITS),
      engine,
    }),
    rights: rightsDeps(table, now),
    now,
    newId: () => newId(now()),
  };
}
