import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { modelRepository } from '../../../shared/domains/semantics/models/index.ts';
import { datasetRepository, deleteDataset } from '../../../shared/domains/warehouse/datasets/index.ts';
import type { Api } from '../api.ts';

/**
 * Removes a dataset that is in use, which the API refuses: as earlier versions allowed it, or a restored backup lacks
 * it.
 */
export async function loseDataset({ table, workspaceId }: Api, id: string): Promise<void> {
  const dataset = await datasetRepository(table).get(workspaceId, id);
  await deleteDataset(table, dataset!, new Date());
}

/** The same for a model. */
export async function loseModel({ table, workspaceId }: Api, id: string): Promise<void> {
  const model = await modelRepository(table).get(workspaceId, id);
  await modelRepository(table).remove(model!, 'STALE_WRITE');
}

/** The same for a blend. */
export async function loseBlend({ table, workspaceId }: Api, id: string): Promise<void> {
  const blend = await blendRepository(table).get(workspaceId, id);
  await blendRepository(table).remove(blend!, [], []);
}

/** The same for a metric. */
export async function loseMetric({ table, workspaceId }: Api, id: string): Promise<void> {
  const metric = await metricRepository(table).get(workspaceId, id);
  await metricRepository(table).remove(metric!, [], []);
}
