import { type Dataset, datasetReferences, listAllDatasets } from '../../shared/domains/datasets/index.ts';
import type { EngineFunction } from '../../shared/domains/engine/index.ts';
import { datasetReadBy, findReferringPipelines, type LoadConfig } from '../../shared/domains/pipelines/index.ts';
import type { ObjectStore } from '../../shared/platform/objects/object-store.ts';
import { collection } from '../../shared/platform/storage/collection.ts';
import type { StoredRecord } from '../../shared/platform/storage/stored-record.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import type { DatasetReferrer } from './use-cases/remove-dataset.ts';

/** Pipelines that read the dataset or load into it, datasets computed from it, and saved queries that read it. */
export function datasetReferrers(table: Table, objects: ObjectStore, engine: Pick<EngineFunction, 'check'>) {
  return async (dataset: Dataset): Promise<DatasetReferrer[]> => {
    const { workspaceId, id, name } = dataset;
    const isName = (other: string | undefined) => other?.toLowerCase() === name.toLowerCase();
    const pipelines = await findReferringPipelines(table, objects, workspaceId, ({ type, config }) => {
      const { target } = config as Partial<LoadConfig>;
      if (isName(datasetReadBy({ type, config }))) return true;
      return type === 'load' && (target?.datasetId === id || isName(target?.name));
    });
    const queries = await referringQueries(table, dataset);
    const all = await listAllDatasets(table, workspaceId);
    const readers = all.flatMap(({ source, ...reader }) =>
      source?.kind === 'datasets' && mayRead(source.sql, name) ? [{ ...reader, sql: source.sql }] : [],
    );
    if (readers.length === 0) return [...pipelines, ...queries];
    const tables = all.map((each) => each.name);
    const answers = await engine.check(readers.map(({ sql }) => ({ sql, tables })));
    const datasets = readers.filter((_reader, index) => {
      const answer = answers[index]!;
      return answer.ok && answer.tables.some(isName);
    });
    return [
      ...pipelines,
      ...datasets.map((reader) => ({ type: 'dataset' as const, id: reader.id, name: reader.name })),
      ...queries,
    ];
  };
}

async function referringQueries(table: Table, { workspaceId, id }: Dataset): Promise<DatasetReferrer[]> {
  const queries = collection<StoredRecord & { name: string }>(table, { entity: 'saved-query' });
  const found = (await datasetReferences(table).read(workspaceId, id)).map((referrer) => referrer.id);
  const named = await queries.getMany(workspaceId, found);
  return named.map((query) => ({ type: 'saved-query', id: query.id, name: query.name }));
}

/** A quick filter, so that few statements are parsed. */
function mayRead(sql: string, name: string): boolean {
  return sql.toLowerCase().includes(name.toLowerCase().replaceAll('"', '""'));
}
