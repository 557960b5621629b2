import type { Principal } from '../../../platform/auth/principal.ts';
import type { DatasetRepository } from '../../datasets/index.ts';
import { type RightsDeps, restrictsAny } from '../../row-rights/index.ts';
import type { Dag } from '../definition/dag.ts';
import { touchedTables } from '../definition/touched-tables.ts';

export interface ShownRowsDeps {
  rights: RightsDeps;
  datasets: Pick<DatasetRepository, 'getMany'>;
}

/** Whether the caller may see rows within steps: steps mix rows, so only if models keep nothing that they touch from the caller. */
export async function maySeeRows(
  { rights, datasets }: ShownRowsDeps,
  principal: Principal,
  dags: readonly Dag[],
): Promise<boolean> {
  const { sourceIds, datasetIds, ...touched } = touchedTables(dags);
  const byId = datasetIds.length === 0 ? [] : await datasets.getMany(principal.workspaceId, datasetIds);
  const names = touched.datasets === 'all' ? 'all' : [...touched.datasets, ...byId.map(({ name }) => name)];
  return !(await restrictsAny(rights, principal, { sourceIds, datasets: names }));
}
