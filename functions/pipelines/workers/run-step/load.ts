import { unionColumns } from '../../../../shared/data/tables/column-union.ts';
import type { DataFile, DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import type { LoadContext, StoredParts } from '../../../../shared/data/tables/load-context.ts';
import { type LoadBatch, prepareLoad } from '../../../../shared/data/tables/prepare-load.ts';
import { changeText, MAX_REPORTED_CHANGES } from '../../../../shared/data/tables/schema-change.ts';
import {
  type AnyLoadConfig,
  type Gate,
  gatesOf,
  type LoadConfig,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { fenceItem, type StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { loadKeyOf, type StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import {
  addStorageStatsItem,
  type CommittedLoad,
  commitLoad,
  type Dataset,
  datasetRepository,
  emptyDataset,
  findLoad,
  findOrCreateDataset,
  type Load,
  type LoadMode,
  QUARANTINE_SUFFIX,
  readManifest,
  turnsOfDataset,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { inTurns } from '../../../../shared/platform/storage/turns.ts';
import { type Attempt, lostAttempt, StepFailure } from './attempt.ts';
import { checkBatch, checkInput, checkTable, type GatedBatch } from './gates.ts';
import { loadFiles } from './load-files.ts';
import { loadTable } from './load-table.ts';
import { rejectInexactOutputs, scratchFile } from './output.ts';
import { rejectCopy } from './reject-copy.ts';
import { type TargetRules, targetMissing, targetNotEmpty, targetRulesOf } from './target-rules.ts';
import { timedOut } from './watch.ts';
import { checkOvertaken, watermarkMoves } from './watermark.ts';

/**
 * Loads the input into its target exactly once: the first attempt that commits is the load, and a repeated attempt
 * reports its result. When another load changes a dataset in between, the load is prepared again on the new version.
 */
export async function load(attempt: Attempt): Promise<StepResult> {
  const { kind } = (attempt.step.config as unknown as AnyLoadConfig).target;
  if (kind === 'dataset') return loadDataset(attempt);
  await rejectCopy(attempt);
  await checkOvertaken(attempt);
  return checkInput(attempt, kind === 'table' ? loadTable : loadFiles);
}

async function loadDataset(attempt: Attempt): Promise<StepResult> {
  const { run } = attempt;
  const { table } = attempt.worker.context;
  const loadKey = loadKeyOf(attempt.stored);
  const rowsIn = (attempt.inputs.input ?? []).reduce((sum, output) => sum + output.rows, 0);
  const earlier = await findLoad(table, run.workspaceId, loadKey);
  if (earlier) return resultOf(rowsIn, earlier);

  await rejectCopy(attempt);
  await rejectInexactOutputs(attempt, attempt.inputs.input ?? []);
  const config = attempt.step.config as unknown as LoadConfig;
  const gates = gatesOf(config);
  const tableGates = gates.filter(({ scope }) => scope === 'table');
  const batch = await checkBatch(
    attempt,
    gates.filter((gate) => !tableGates.includes(gate)),
    attempt.inputs.input ?? [],
  );

  let part = 0;
  const rules = await targetRulesOf(attempt);
  const stored = new Map<string, StoredParts>();
  const plan: LoadPlan = { config, loadKey, batch, tableGates, rules, stored, nextPart: () => ++part };
  const { dataset: target } = await targetOf(attempt);
  const of = { workspaceId: run.workspaceId, name: turnsOfDataset(target.id) };
  const committed = await inTurns(table, of, { signal: attempt.signal }, async () => {
    const { dataset, outcome } = await tryCommit(attempt, plan);
    if (outcome.kind === 'fenced') throw lostAttempt();
    if (outcome.kind === 'full') {
      const gb = outcome.limitBytes / 1024 ** 3;
      throw new StepFailure('ALLOWANCE_EXHAUSTED', `The load would exceed the ${gb} GB that the workspace may store.`);
    }
    if (outcome.kind === 'committed') return { dataset, load: outcome.load };
    attempt.log('info', 'Another load changed the dataset; this one is committed on the newer version.');
    return undefined;
  });
  if (!committed) throw timedOut(timeoutSecondsOf(attempt.step));
  logCommit(attempt, committed.dataset, committed.load);
  return resultOf(rowsIn, committed.load);
}

interface LoadPlan {
  config: LoadConfig;
  loadKey: string;
  batch: GatedBatch;
  tableGates: readonly Gate[];
  rules: TargetRules;
  /** What the attempt has stored of its rows, by the dataset, for the next try. */
  stored: Map<string, StoredParts>;
  /** Numbers the files of the attempt. */
  nextPart(): number;
}

/** Prepares the load on the current version of the dataset and tries to commit it. */
async function tryCommit(attempt: Attempt, plan: LoadPlan) {
  const { config, loadKey, batch, tableGates, rules, nextPart } = plan;
  const { run, node, worker } = attempt;
  const { table, now } = worker.context;
  const { dataset, isNew } = await targetOf(attempt);
  if (isNew && rules.missing) throw targetMissing(rules.missing);
  // If this attempt crashes, the clean-up finds the files that it stored for a dataset that was never created.
  if (isNew) await transact(table, [addStorageStatsItem(table, dataset, 0, now())]);
  const nextKey = () => datasetFileKey(attempt, dataset, nextPart());
  const prepared = await prepare(attempt, plan, dataset, batch.accepted, nextKey);
  const previousRows = isNew ? undefined : dataset.rowCount;
  const results = [
    ...batch.results,
    ...(await checkTable(attempt, tableGates, prepared, { results: batch.results, previousRows })),
  ];
  const companion =
    batch.quarantined && (await prepareQuarantine(attempt, plan, { dataset, isNew }, batch.quarantined));
  // A policy may have come while the rows were prepared.
  await rejectCopy(attempt);
  attempt.signal.throwIfAborted();
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: node.index };
  const next: Load = {
    dataset,
    isNew,
    loadKey,
    mode: config.mode as LoadMode,
    ...prepared,
    origin: { kind: 'pipeline', pipelineId: run.pipelineId, runId: run.id, stepId: node.stepId },
    at: now(),
    fence: fenceItem(table, job, attempt.stored.attempt),
    also: await watermarkMoves(attempt),
    ...(companion ? { companion } : {}),
    ...(results.length > 0 ? { gates: results } : {}),
  };
  return { dataset, outcome: await commitLoad(table, worker.objects, next, { signal: attempt.signal }) };
}

function logCommit(attempt: Attempt, { name }: Dataset, load: CommittedLoad): void {
  const { rowsLoaded, version, rowCount, schemaChanges = [] } = load;
  for (const change of schemaChanges) attempt.log('warn', changeText(change));
  attempt.log('info', `Committed ${rowsLoaded} rows as version ${version} of ${name} (${rowCount} rows).`);
}

function resultOf(rowsIn: number, load: CommittedLoad): StepResult {
  return {
    rowsIn,
    rowsOut: load.rowsLoaded,
    bytesOut: load.bytesLoaded,
    moved: { rows: load.rowsLoaded, bytes: load.bytesLoaded, sink: { kind: 'dataset', id: load.datasetId } },
    ...(load.gates ? { gates: load.gates } : {}),
    ...(load.schemaChanges ? { schemaChanges: load.schemaChanges } : {}),
  };
}

async function targetOf(attempt: Attempt): Promise<{ dataset: Dataset; isNew: boolean }> {
  const { workspaceId } = attempt.run;
  const { name, datasetId } = (attempt.step.config as unknown as LoadConfig).target;
  const datasets = datasetRepository(attempt.worker.context.table);
  const found =
    datasetId === undefined ? await datasets.find(workspaceId, name!) : await datasets.get(workspaceId, datasetId);
  if (found) return { dataset: found, isNew: false };
  if (datasetId !== undefined) throw new StepFailure('NOT_FOUND', 'The dataset of the target was deleted.');
  const at = attempt.worker.context.now();
  return { isNew: true, dataset: emptyDataset({ id: newId(at), workspaceId, name: name!, createdBy: null, at }) };
}

async function prepare(
  attempt: Attempt,
  plan: LoadPlan,
  dataset: Dataset,
  outputs: readonly StepOutput[],
  nextKey: () => string,
) {
  const { config, rules } = plan;
  const { worker } = attempt;
  const current = await readManifest(worker.context.table, worker.objects, dataset);
  if (rules.filled && hasOtherRows(attempt, current?.files ?? [])) throw targetNotEmpty(rules.filled);
  const prepared = await prepareLoad(
    loadContext(attempt, plan, dataset, nextKey),
    batchOf(attempt, outputs, nextKey),
    current,
    config.mode === 'merge' ? { ...config, validFrom: attempt.run.startedAt ?? attempt.run.createdAt } : config,
    dataset.partitionBy,
  );
  // A refresh of the dataset continues at its watermark, unless the load replaces its rows.
  const replaced = config.mode === 'overwrite' && config.scope !== 'partition';
  return {
    ...prepared,
    schemaChanges: prepared.schemaChanges.slice(0, MAX_REPORTED_CHANGES),
    watermark: replaced ? undefined : current?.watermark,
  };
}

function loadContext(attempt: Attempt, { stored }: LoadPlan, { id }: Dataset, nextKey: () => string): LoadContext {
  const { engine, worker } = attempt;
  const { objects, cache } = worker;
  const parts = stored.get(id) ?? new Map();
  stored.set(id, parts);
  return {
    engine,
    objects,
    cache,
    nextKey,
    scratchFile: () => scratchFile(attempt),
    stored: parts,
  };
}

function batchOf({ worker }: Attempt, outputs: readonly StepOutput[], nextKey: () => string): LoadBatch {
  const files = outputs.flatMap((output) => output.files);
  return {
    ...columnsOf(outputs),
    rows: outputs.reduce((sum, output) => sum + output.rows, 0),
    bytes: outputs.reduce((sum, output) => sum + output.bytes, 0),
    paths: () => worker.cache.fetchAll(files),
    store: () => storeUnchanged(worker, outputs, nextKey),
  };
}

/** Quarantined rows go to a second dataset, in the transaction that commits the accepted ones. */
async function prepareQuarantine(
  attempt: Attempt,
  plan: LoadPlan,
  { dataset: target, isNew }: { dataset: Dataset; isNew: boolean },
  output: StepOutput,
) {
  const { worker } = attempt;
  const { table, now } = worker.context;
  const name = `${target.name}${QUARANTINE_SUFFIX}`;
  const made = { workspaceId: target.workspaceId, name, createdBy: null, at: now() };
  const dataset = await findOrCreateDataset(table, made, isNew ? undefined : target);
  const nextKey = () => datasetFileKey(attempt, dataset, plan.nextPart());
  const { kept, added, columns } = await prepareLoad(
    loadContext(attempt, plan, dataset, nextKey),
    batchOf(attempt, [output], nextKey),
    await readManifest(table, worker.objects, dataset),
    // A schema change of the target must not make the quarantine fail.
    { mode: 'append', onSchemaChange: 'as_text' },
    dataset.partitionBy,
  );
  return { dataset, kept, added, columns };
}

/** The union of the columns of all items; a column may have different types among them. */
function columnsOf(outputs: readonly StepOutput[]): Pick<LoadBatch, 'columns' | 'isMixed'> {
  let columns: DatasetColumn[] = [];
  let isMixed = false;
  for (const output of outputs) {
    const union = unionColumns(columns, output.columns);
    isMixed ||= union.widened.length + union.converted.length > 0;
    columns = union.columns;
  }
  return { columns, isMixed };
}

/** Each attempt has a prefix of its own, so that files are never overwritten. */
function datasetFileKey(attempt: Attempt, dataset: Dataset, part: number): string {
  const { run, node, stored } = attempt;
  const place = `${run.id}-${node.stepId}-${node.itemIndex ?? 'all'}-${stored.attempt}`;
  return `W/${run.workspaceId}/datasets/${dataset.id}/${place}/part-${part}.parquet`;
}

/** Whether rows of another run are among the files; several loads of one run may append to the same dataset. */
const hasOtherRows = ({ run }: Attempt, files: readonly DataFile[]): boolean =>
  files.some(({ key, rows }) => rows > 0 && !key.includes(`/${run.id}-`));

/**
 * Copies files inside the bucket, because the dataset owns its files independently of the run. Fused rows, which are
 * not in the bucket, are uploaded.
 */
async function storeUnchanged(
  { objects, cache }: Attempt['worker'],
  outputs: readonly StepOutput[],
  nextKey: () => string,
): Promise<DataFile[]> {
  return Promise.all(
    outputs.flatMap(({ files, fused }) =>
      files
        .filter((file) => file.rows > 0)
        .map(async (file) => {
          const key = nextKey();
          await (fused ? objects.upload(key, await cache.fetch(file)) : objects.copy(file, key));
          return { key, rows: file.rows, sizeBytes: file.sizeBytes };
        }),
    ),
  );
}
