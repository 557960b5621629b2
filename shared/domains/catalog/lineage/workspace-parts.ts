import type { Column } from '../../../data/duckdb/column-types.ts';
import type { CheckProduct } from '../../../platform/entitlements/product-check.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { everyRecord } from '../../../platform/storage/every-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type AlertRecord, alertRepository } from '../../alerts/rules/index.ts';
import type { EngineFunction } from '../../engine/index.ts';
import { type StoredStream, streamRepository } from '../../pipelines/cdc/index.ts';
import type { DefinitionEngine } from '../../pipelines/checks/index.ts';
import {
  type Dag,
  datasetReadBy,
  fileTriggerOf,
  loadedDatasets,
  type StepLineage,
} from '../../pipelines/definition/index.ts';
import { dagStore, type StoredPipeline } from '../../pipelines/store/index.ts';
import {
  DATASETS,
  definitionReader,
  type ModelDefinition,
  type ModelRecord,
  modelOrNone,
} from '../../semantics/models/index.ts';
import type { ShareRecord } from '../../sharing/shares/index.ts';
import { type Dataset, listAllDatasets } from '../../warehouse/datasets/index.ts';
import { type AnalyseStatement, statementAnalyses } from './columns/statements.ts';

export interface LineageDeps {
  table: Table;
  objects: ObjectStore;
  engine: Pick<EngineFunction, 'check' | 'statements'> & Pick<DefinitionEngine, 'lineage'>;
  checkProduct: CheckProduct;
}

/** What a pipeline reads and loads, as its saved definition says. */
export interface PipelineFlows {
  reads: { sourceIds: ReadonlySet<string>; streams: readonly StreamName[]; datasets: readonly string[] };
  loads: { sourceIds: ReadonlySet<string>; datasetIds: readonly string[]; datasets: readonly string[] };
}

export interface StreamName {
  sourceId: string;
  streamId: string;
}

/** Parts of a workspace that refer to each other by name. Each is read once, when it is needed. */
export interface WorkspaceParts {
  datasets(): Promise<ReadonlyMap<string, Dataset>>;
  datasetNamed(name: string): Promise<Dataset | undefined>;
  /** The definitions of all pipelines, by id. */
  dags(): Promise<ReadonlyMap<string, Dag>>;
  pipelines(): Promise<ReadonlyMap<string, PipelineFlows>>;
  /** The lineage of the columns of a definition, whose extracts have the known ones. */
  stepLineages(dag: Dag, known: ReadonlyMap<string, readonly Column[]>): Promise<readonly StepLineage[]>;
  streams(): Promise<readonly StoredStream[]>;
  /** The names of the datasets that statements of derived datasets read, by id; absent where one does not parse. */
  derived(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The names of the datasets in the tables of models, by the id of the model. */
  modelTables(): Promise<ReadonlyMap<string, readonly string[]>>;
  alerts(): Promise<readonly AlertRecord[]>;
  /** The definition of a model; undefined if it was deleted. */
  model(id: string): Promise<ModelDefinition | undefined>;
  analyse: AnalyseStatement;
  shares(): Promise<readonly ShareRecord[]>;
  /** The ids of all stories: nothing records which of them show a card. */
  storyIds(): Promise<readonly string[]>;
}

/** Names of datasets differ by more than case. */
const folded = (name: string) => name.toLowerCase();

export function workspaceParts(
  { table, objects, engine }: Pick<LineageDeps, 'table' | 'objects' | 'engine'>,
  workspaceId: string,
): WorkspaceParts {
  const datasets = once(
    async () => new Map((await listAllDatasets(table, workspaceId)).map((each) => [each.id, each])),
  );
  const byName = once(async () => {
    const all = await datasets();
    return new Map([...all.values()].map((each) => [folded(each.name), each]));
  });
  const dags = once(async () => {
    const stored = await Array.fromAsync(everyRecord<StoredPipeline>(table, workspaceId, 'pipeline'));
    const found = await dagStore(table, objects).getMany(workspaceId, [
      ...new Set(stored.map(({ dagHash }) => dagHash)),
    ]);
    return new Map(
      stored.flatMap(({ id, dagHash }) => {
        const dag = found.get(dagHash);
        return dag ? [[id, dag] as const] : [];
      }),
    );
  });
  const definitions = definitionReader(table);
  const models = new Map<string, Promise<ModelDefinition | undefined>>();
  const model = (modelId: string) => {
    const reading = models.get(modelId) ?? modelOrNone(definitions, { workspaceId, modelId });
    models.set(modelId, reading);
    return reading;
  };
  return {
    datasets,
    model,
    analyse: statementAnalyses(engine),
    shares: once(() => Array.fromAsync(everyRecord<ShareRecord>(table, workspaceId, 'share'))),
    datasetNamed: async (name) => (await byName()).get(folded(name)),

    dags,
    pipelines: once(async () => new Map([...(await dags())].map(([id, dag]) => [id, flowsOf(dag)]))),
    stepLineages: (dag, known) =>
      engine.lineage({ dag, columns: Object.fromEntries([...known].map(([id, columns]) => [id, [...columns]])) }),

    streams: once(async () => {
      const all = await streamRepository(table).readAll(workspaceId);
      return all.filter(({ deletedAt }) => !deletedAt);
    }),

    derived: once(async () => {
      const all = [...(await datasets()).values()];
      const made = all.flatMap(({ id, source }) => (source?.kind === 'datasets' ? [{ id, sql: source.sql }] : []));
      if (made.length === 0) return new Map();
      const tables = all.map(({ name }) => name);
      const answers = await engine.check(made.map(({ sql }) => ({ sql, tables })));
      return new Map(
        made.flatMap(({ id }, index) => {
          const answer = answers[index]!;
          return answer.ok ? [[id, answer.tables] as const] : [];
        }),
      );
    }),

    alerts: once(() => alertRepository(table).readAll(workspaceId)),

    storyIds: once(async () => {
      const stories = await Array.fromAsync(everyRecord<{ id: string }>(table, workspaceId, 'story'));
      return stories.map(({ id }) => id);
    }),

    modelTables: once(async () => {
      const names = new Map<string, readonly string[]>();
      for await (const { id, sourceId } of everyRecord<ModelRecord>(table, workspaceId, 'model')) {
        if (sourceId !== DATASETS) continue;
        const definition = await model(id);
        names.set(
          id,
          [...(definition?.tables.values() ?? [])].map(({ sourceTable }) => sourceTable),
        );
      }
      return names;
    }),
  };
}

function flowsOf(dag: Dag): PipelineFlows {
  const extracts = dag.steps.filter(({ type }) => type === 'extract');
  const loads = dag.steps.filter(({ type }) => type === 'load');
  const loaded = loadedDatasets(dag);
  const trigger = fileTriggerOf(dag);
  return {
    reads: {
      sourceIds: new Set([...extracts.map(({ config }) => config), trigger].flatMap(sourceIdIn)),
      streams: extracts.flatMap(({ config }) => {
        const { stream } = (config.object ?? {}) as { stream?: unknown };
        return typeof stream === 'string' ? sourceIdIn(config).map((sourceId) => ({ sourceId, streamId: stream })) : [];
      }),
      datasets: dag.steps.flatMap((step) => datasetReadBy(step) ?? []),
    },
    loads: {
      sourceIds: new Set(loads.flatMap(({ config }) => sourceIdIn(config.target))),
      datasetIds: loaded.ids,
      datasets: loaded.names,
    },
  };
}

function sourceIdIn(holder: unknown): string[] {
  const { sourceId } = (holder ?? {}) as { sourceId?: unknown };
  return typeof sourceId === 'string' ? [sourceId] : [];
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
