import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { datasetReadBy } from './configs/extract.ts';
import type { Dag } from './dag.ts';
import { referencesIn } from './references.ts';

/** Reports extracts of datasets that do not exist and that no load of the definition creates. */
export async function findDatasetIssues(
  dag: Dag,
  datasets: () => Promise<readonly { name: string }[]>,
): Promise<Issue[]> {
  const read = dag.steps.flatMap((step, index) => {
    const name = datasetReadBy(step);
    // Only a run knows the values of references.
    return name === undefined || referencesIn(name).length > 0 ? [] : [{ name, index }];
  });
  if (read.length === 0) return [];
  const known = [...(await datasets()).map(({ name }) => name), ...loadedDatasets(dag)];
  const folded = new Set(known.map((name) => name.toLowerCase()));
  return read
    .filter(({ name }) => !folded.has(name.toLowerCase()))
    .map(({ name, index }) => ({
      pointer: `/dag/steps/${index}/config/object/dataset`,
      code: 'DATASET_UNKNOWN',
      message: `The workspace has no dataset "${name}"${didYouMean(name, known)}`,
    }));
}

/** The names of the datasets that the definition loads. */
export function loadedDatasets(dag: Dag): string[] {
  return dag.steps.flatMap(({ type, config }) => {
    const { kind, name } = (config.target ?? {}) as { kind?: unknown; name?: unknown };
    return type === 'load' && kind === 'dataset' && typeof name === 'string' ? [name] : [];
  });
}
