import type { EngineFunction } from '../../../shared/domains/engine/index.ts';
import { datasetReadBy, type LoadConfig } from '../../../shared/domains/pipelines/definition/index.ts';
import { findReferringPipelines } from '../../../shared/domains/pipelines/store/index.ts';
import {
  DATASETS,
  definitionReader,
  type ModelDefinition,
  type ModelRecord,
} from '../../../shared/domains/semantics/models/index.ts';
import { type Dataset, datasetRepository, listAllDatasets } from '../../../shared/domains/warehouse/datasets/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../shared/platform/objects/object-store.ts';
import { everyRecord } from '../../../shared/platform/storage/every-record.ts';
import type { NamedReferrer } from '../../../shared/platform/storage/referrers.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

/** Pipelines that read the dataset or load into it, datasets computed from it, and models with a table of it. */
export function datasetReferrers(table: Table, objects: ObjectStore, engine: Pick<EngineFunction, 'check'>) {
  return async (workspaceId: string, id: string): Promise<NamedReferrer[]> => {
    const dataset = await datasetRepository(table).get(workspaceId, id);
    if (!dataset) return [];
    const { name } = dataset;
    const isName = (other: string | undefined) => other?.toLowerCase() === name.toLowerCase();
    const pipelines = await findReferringPipelines(table, objects, workspaceId, ({ type, config }) => {
      const { target } = config as Partial<LoadConfig>;
      if (isName(datasetReadBy({ type, config }))) return true;
      return type === 'load' && (target?.datasetId === id || isName(target?.name));
    });
    const models = await referringModels(table, dataset);
    const all = await listAllDatasets(table, workspaceId);
    const readers = all.flatMap(({ source, ...reader }) =>
      source?.kind === 'datasets' && mayRead(source.sql, name) ? [{ ...reader, sql: source.sql }] : [],
    );
    if (readers.length === 0) return [...pipelines, ...models];
    const tables = all.map((each) => each.name);
    const answers = await engine.check(readers.map(({ sql }) => ({ sql, tables })));
    const datasets = readers.filter((_reader, index) => {
      const answer = answers[index]!;
      return answer.ok && answer.tables.some(isName);
    });
    return [
      ...pipelines,
      ...datasets.map((reader) => ({ type: 'dataset' as const, id: reader.id, name: reader.name })),
      ...models,
    ];
  };
}

/** Models with a table that shows the dataset. */
async function referringModels(table: Table, { workspaceId, name }: Dataset): Promise<NamedReferrer[]> {
  const definitions = definitionReader(table);
  const found: NamedReferrer[] = [];
  for await (const model of everyRecord<ModelRecord>(table, workspaceId, 'model')) {
    if (model.sourceId !== DATASETS) continue;
    const definition = await unlessGone(definitions.read({ workspaceId, modelId: model.id }));
    if (
      [...(definition?.tables.values() ?? [])].some(
        ({ sourceTable }) => sourceTable.toLowerCase() === name.toLowerCase(),
      )
    ) {
      found.push({ type: 'model', id: model.id, name: model.name });
    }
  }
  return found;
}

/** Undefined for a model that was deleted meanwhile. */
const unlessGone = (read: Promise<ModelDefinition>): Promise<ModelDefinition | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return undefined;
    throw error;
  });

/** A quick filter, so that few statements are parsed. */
function mayRead(sql: string, name: string): boolean {
  return sql.toLowerCase().includes(name.toLowerCase().replaceAll('"', '""'));
}
