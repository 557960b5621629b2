import type { CheckProduct } from '../../../../platform/entitlements/product-check.ts';
import type { ObjectStore } from '../../../../platform/objects/object-store.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import type { EngineFunction } from '../../../engine/index.ts';
import { definitionEngine } from '../../../pipelines/checks/index.ts';
import { blendRepository } from '../../../semantics/blends/index.ts';
import { metricRepository } from '../../../semantics/metrics/index.ts';
import { sourceTables } from '../../../semantics/models/index.ts';
import { findLiveSource } from '../../../semantics/queries/index.ts';
import { rightsDeps } from '../../../semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../../semantics/saved-queries/index.ts';
import { datasetRepository } from '../../../warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../warehouse/sources/index.ts';
import type { ImpactDeps } from './find-impact.ts';

/** What a function needs to find impacts. */
export function impactDeps({
  table,
  objects,
  engine: engineOfFunction,
  checkProduct,
  now,
}: {
  table: Table;
  objects: ObjectStore;
  engine: EngineFunction;
  checkProduct: CheckProduct;
  now(): Date;
}): ImpactDeps {
  const engine = definitionEngine(engineOfFunction);
  const sources = dataSourceRepository(table);
  const rights = rightsDeps(table, now);
  return {
    ...{ table, checkProduct, objects, engine },
    checks: {
      rights,
      definitions: rights.definitions,
      live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
      readTables: sourceTables(table, objects),
      datasets: datasetRepository(table),
      blends: blendRepository(table),
      savedQueries: savedQueryRepository(table).queries,
      metrics: metricRepository(table),
      now,
      columnIssues: engine.columnIssues,
    },
  };
}
