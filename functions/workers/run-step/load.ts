import { bytesOf, type CommittedLoad, commitLoad, findLoad } from '../../../shared/datasets/commit.ts';
import { readManifest } from '../../../shared/datasets/manifests.ts';
import {
  type DataFile,
  type Dataset,
  type DatasetColumn,
  emptyDataset,
  type LoadMode,
} from '../../../shared/datasets/record.ts';
import { datasetRepository } from '../../../shared/datasets/repository.ts';
import type { LoadConfig } from '../../../shared/pipelines/configs/load.ts';
import { readSteps } from '../../../shared/pipelines/run-store.ts';
import { fenceItem, type StepResult } from '../../../shared/pipelines/settle.ts';
import { loadKeyOf, watermarkItems } from '../../../shared/pipelines/watermarks.ts';
import { newId } from '../../../shared/storage/ids.ts';
import type { TransactItem } from '../../../shared/storage/table.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { mergeBatch } from './merge.ts';

const MOST_TRIES = 5;

/** What a load puts into its dataset, prepared and stored but not yet visible. */
export interface Prepared {
  /** Files of the current version that stay, and new ones. */
  kept: readonly DataFile[];
  added: DataFile[];
  columns: DatasetColumn[];
  rowsLoaded: number;
  bytesLoaded: number;
}

/**
 * Loads the input into a dataset, once: whatever attempt commits first is the load, and a repetition reports what that
 * one did. When another load changes the dataset in between, the load is prepared anew on the new version.
 */
export async function load(attempt: Attempt): Promise<StepResult> {
  const { run, node } = attempt;
  const { table } = attempt.worker.context;
  const loadKey = loadKeyOf(attempt.stored);
  const rowsIn = (attempt.inputs.input ?? []).reduce((sum, output) => sum + output.rows, 0);
  const earlier = await findLoad(table, run.workspaceId, loadKey);
  if (earlier) return resultOf(rowsIn, earlier);

  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const { dataset, isNew } = await targetOf(attempt);
    const config = attempt.step.config as unknown as LoadConfig;
    const prepared = await prepare(attempt, config, dataset);
    const outcome = await commitLoad(table, attempt.worker.objects, {
      dataset,
      isNew,
      loadKey,
      mode: config.mode as LoadMode,
      ...prepared,
      origin: { kind: 'pipeline', pipelineId: run.pipelineId, runId: run.id, stepId: node.stepId },
      at: attempt.worker.context.now(),
      fence: fenceItem(
        table,
        { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: node.index },
        attempt.stored.attempt,
      ),
      also: await watermarkMoves(attempt),
    });
    if (outcome.kind === 'fenced') throw new StepFailure('CANCELLED', 'The attempt was given up.');
    if (outcome.kind === 'full') {
      const gb = outcome.limitBytes / 1024 ** 3;
      throw new StepFailure('ALLOWANCE_EXHAUSTED', `The workspace may store ${gb} GB; the load would go beyond.`);
    }
    if (outcome.kind === 'committed') {
      const { rowsLoaded, version, rowCount } = outcome.load;
      attempt.log('info', `Committed ${rowsLoaded} rows as version ${version} of ${dataset.name} (${rowCount} rows).`);
      return resultOf(rowsIn, outcome.load);
    }
    attempt.log('info', 'Another load changed the dataset; preparing this one again.');
  }
  throw new StepFailure('INTERNAL', 'The dataset was changed by other loads again and again.');
}

/** Incremental extracts have come so far when this load commits. */
async function watermarkMoves(attempt: Attempt): Promise<TransactItem[]> {
  const { run, dag, node, plan } = attempt;
  const incremental = dag.steps.some((step) => step.type === 'extract' && step.config.mode === 'incremental');
  if (!incremental) return [];
  const { table } = attempt.worker.context;
  const steps = await readSteps(table, run.workspaceId, run.id);
  const nodes = new Map(steps.map((step) => [step.index, step]));
  return watermarkItems(table, attempt.worker.objects, run, plan, nodes, node.index);
}

function resultOf(rowsIn: number, load: CommittedLoad): StepResult {
  return {
    rowsIn,
    rowsOut: load.rowsLoaded,
    bytesOut: load.bytesLoaded,
    moved: { rows: load.rowsLoaded, bytes: load.bytesLoaded, sink: { kind: 'dataset', id: load.datasetId } },
  };
}

async function targetOf(attempt: Attempt): Promise<{ dataset: Dataset; isNew: boolean }> {
  const { workspaceId } = attempt.run;
  const { name, datasetId } = (attempt.step.config as unknown as LoadConfig).target;
  const datasets = datasetRepository(attempt.worker.context.table);
  const found =
    datasetId === undefined ? await datasets.find(workspaceId, name!) : await datasets.get(workspaceId, datasetId);
  if (found) return { dataset: found, isNew: false };
  if (datasetId !== undefined) throw new StepFailure('NOT_FOUND', 'The dataset does not exist.');
  const at = attempt.worker.context.now();
  return { isNew: true, dataset: emptyDataset({ id: newId(at), workspaceId, name: name!, createdBy: null, at }) };
}

async function prepare(attempt: Attempt, config: LoadConfig, dataset: Dataset): Promise<Prepared> {
  const batch = attempt.inputs.input ?? [];
  const columns = batch.map((output) => output.columns).reduce(joined, []);
  if (columns.length === 0) throw new StepFailure('SCHEMA_MISMATCH', 'The input has no columns.');
  const current =
    config.mode === 'overwrite'
      ? undefined
      : await readManifest(attempt.worker.context.table, attempt.worker.objects, dataset);
  const target = { dataset, files: current?.files ?? [], columns: joined(current?.columns ?? [], columns) };
  if (config.mode === 'merge') return mergeBatch(attempt, config, target);
  const added = await copyInto(
    attempt,
    dataset,
    batch.flatMap((output) => output.files),
  );
  return {
    kept: target.files,
    added,
    columns: target.columns,
    rowsLoaded: added.reduce((sum, file) => sum + file.rows, 0),
    bytesLoaded: bytesOf(added),
  };
}

/** The columns of both, those of the first in front. Throws when one has two types. */
function joined(first: readonly DatasetColumn[], second: readonly DatasetColumn[]): DatasetColumn[] {
  const types = new Map(first.map(({ name, type }) => [name, type]));
  const odd = second.find(({ name, type }) => types.has(name) && types.get(name) !== type);
  if (odd) {
    const message = `The column ${odd.name} is ${types.get(odd.name)} in the dataset and ${odd.type} in the rows to load.`;
    throw new StepFailure('SCHEMA_MISMATCH', message);
  }
  return [...first, ...second.filter(({ name }) => !types.has(name))];
}

/** Where an attempt puts files of a dataset: a place of its own, so that nothing is ever overwritten. */
export function datasetFileKey(attempt: Attempt, dataset: Dataset, part: number): string {
  const { run, node, stored } = attempt;
  const place = `${run.id}-${node.stepId}-${node.itemIndex ?? 'all'}-${stored.attempt}`;
  return `W/${run.workspaceId}/datasets/${dataset.id}/${place}/part-${part}.parquet`;
}

/** Copies files inside of the bucket: the dataset owns its files whatever happens to the run's. */
export async function copyInto(attempt: Attempt, dataset: Dataset, files: readonly DataFile[]): Promise<DataFile[]> {
  return Promise.all(
    files
      .filter((file) => file.rows > 0)
      .map(async (file, index) => {
        const key = datasetFileKey(attempt, dataset, index + 1);
        await attempt.worker.objects.copy(file, key);
        return { key, rows: file.rows, sizeBytes: file.sizeBytes };
      }),
  );
}
