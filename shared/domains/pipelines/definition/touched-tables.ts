import { datasetReadBy } from './configs/extract.ts';
import type { Dag } from './dag.ts';
import { sourcesOf } from './source-references.ts';

/** Whose rows pass through the steps of a definition. */
export interface TouchedTables {
  sourceIds: string[];
  /** Names of datasets; `all` where a name is known only in a run. */
  datasets: string[] | 'all';
  datasetIds: string[];
}

/** What the definitions read, and what they load: the rows before a load are those that the dataset has afterwards. */
export function touchedTables(dags: readonly Dag[]): TouchedTables {
  const steps = dags.flatMap((dag) => dag.steps);
  const loaded = loadedDatasets({ steps });
  const names = [...steps.flatMap((step) => datasetReadBy(step) ?? []), ...loaded.names];
  return {
    sourceIds: [...new Set(dags.flatMap((dag) => sourcesOf(dag).map(({ sourceId }) => sourceId)))],
    datasets: names.some((name) => name.includes('{{')) ? 'all' : [...new Set(names)],
    datasetIds: [...new Set(loaded.ids)],
  };
}

/** The datasets that a definition loads, by names without references and by ids. */
export function loadedDatasets({ steps }: Pick<Dag, 'steps'>): { names: string[]; ids: string[] } {
  const targets = steps.flatMap(({ type, config }) => (type === 'load' ? [config.target as DatasetTarget] : []));
  return {
    names: targets.flatMap((target) => (target?.kind === 'dataset' ? (target.name ?? []) : [])),
    ids: targets.flatMap((target) => target?.datasetId ?? []),
  };
}

interface DatasetTarget {
  kind?: string;
  name?: string;
  datasetId?: string;
}
