import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { everyRecord } from '../../../platform/storage/every-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type StoredTest, testCopy } from '../../quality/index.ts';
import { type Copy, datasetCopy, readsAnything } from '../../semantics/row-rights/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import { type StoredStream, streamCopy } from '../cdc/index.ts';
import { type Dag, loadedDatasets, pipelineCopy } from '../definition/index.ts';
import { dagStore, type StoredPipeline } from '../store/index.ts';

/** Something of the workspace that may store, send or count rows of a protected table. */
export interface Candidate {
  copy: Copy;
  name: string;
  /** The names of the datasets that hold its rows. */
  outputs: string[];
}

/** Everything that reads tables and stores, sends or counts their rows, in a stable order. */
export async function candidatesOf(table: Table, objects: ObjectStore, workspaceId: string): Promise<Candidate[]> {
  const every = <T>(entity: string) => Array.fromAsync(everyRecord<T>(table, workspaceId, entity));
  const [datasets, pipelines, streams, tests] = await Promise.all([
    every<Dataset>('dataset'),
    every<StoredPipeline>('pipeline'),
    every<StoredStream>('cdc-stream'),
    every<StoredTest>('quality-test'),
  ]);
  const dags = await dagStore(table, objects).getMany(
    workspaceId,
    pipelines.map(({ dagHash }) => dagHash),
  );
  const all = [
    ...datasets.map((dataset) => ({ copy: datasetCopy(dataset), name: dataset.name, outputs: [dataset.name] })),
    ...pipelines.flatMap((pipeline) => {
      // It may have been deleted or changed a moment ago.
      const dag = dags.get(pipeline.dagHash);
      return dag ? [{ copy: pipelineCopy(pipeline, dag), name: pipeline.name, outputs: outputsOf(dag, datasets) }] : [];
    }),
    ...streams.map((stream) => ({ copy: streamCopy(stream), name: stream.streamId, outputs: [] })),
    ...tests.map((test) => ({ copy: testCopy(test), name: test.name, outputs: [] })),
  ];
  return all.filter(({ copy }) => readsAnything(copy.reads));
}

/** The names of the datasets that the definition loads. */
export function outputsOf(dag: Dag, datasets: readonly Dataset[]): string[] {
  const { names, ids } = loadedDatasets(dag);
  return [...names, ...datasets.filter(({ id }) => ids.includes(id)).map(({ name }) => name)];
}
