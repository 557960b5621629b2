import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { hiddenTables, type Reads, type RightsDeps, tablesRead } from '../../semantics/row-rights/index.ts';
import type { DatasetRepository } from '../../warehouse/datasets/index.ts';
import type { Dag } from '../definition/index.ts';
import { touchedTables } from '../definition/index.ts';

export interface ShownRowsDeps {
  rights: RightsDeps;
  datasets: Pick<DatasetRepository, 'getMany'>;
}

/**
 * The tables because of which the caller may not see rows within steps. Steps mix rows, so they are shown only if
 * models keep nothing that they touch from the caller.
 */
export async function tablesHiddenInSteps(
  deps: ShownRowsDeps,
  principal: Principal,
  dags: readonly Dag[],
): Promise<string[]> {
  return hiddenTables(deps.rights, principal, await readsOfSteps(deps, principal.workspaceId, dags));
}

/** The tables that steps touch and that models keep from anyone: what receivers outside may get nothing of. */
export async function tablesProtectedInSteps(
  deps: ShownRowsDeps,
  workspaceId: string,
  dags: readonly Dag[],
): Promise<string[]> {
  return tablesRead(deps.rights, workspaceId, await readsOfSteps(deps, workspaceId, dags), () => true);
}

async function readsOfSteps({ datasets }: ShownRowsDeps, workspaceId: string, dags: readonly Dag[]): Promise<Reads> {
  const { sourceIds, datasetIds, ...touched } = touchedTables(dags);
  const byId = datasetIds.length === 0 ? [] : await datasets.getMany(workspaceId, datasetIds);
  const names = touched.datasets === 'all' ? 'all' : [...touched.datasets, ...byId.map(({ name }) => name)];
  const sources = sourceIds.map((sourceId) => ({ sourceId, tables: 'all' as const }));
  return { sources, datasets: names };
}

/** Throws `RLS_RAW_SQL` with the names of these tables. */
export async function assertMaySeeRows(deps: ShownRowsDeps, principal: Principal, dags: readonly Dag[]): Promise<void> {
  const tables = await tablesHiddenInSteps(deps, principal, dags);
  if (tables.length === 0) return;
  const message = (name: string) => `The steps use ${name}, and you may not see all of it.`;
  throw new AppError('RLS_RAW_SQL', {
    errors: tables.map((name) => ({ pointer: '', code: 'RLS_RAW_SQL', message: message(name) })),
  });
}
