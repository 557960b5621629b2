import { rm } from 'node:fs/promises';
import {
  boundaryPath,
  type Cursor,
  lostColumnText,
  MAX_BOUNDARY_ROWS,
  type Watermark,
} from '../../../../../shared/data/connectors/extract/incremental.ts';
import { openBoundary, storeBoundary } from '../../../../../shared/data/connectors/extract/stored-boundary.ts';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { type ChangedValues, rejectEmptied, reportedChanges } from '../../../../../shared/data/files/changed-values.ts';
import type { StoredParts } from '../../../../../shared/data/tables/load-context.ts';
import { type LoadHow, type Prepared, prepareLoad } from '../../../../../shared/data/tables/prepare-load.ts';
import { storeFile } from '../../../../../shared/data/tables/write-files.ts';
import { datasetCopy, whyRefused } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import {
  type CommittedLoad,
  type Dataset,
  type DatasetSource,
  type DatasetWatermark,
  datasetRepository,
  type Manifest,
  readManifest,
  turnsOfDataset,
  watermarkSubject,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { type JobControl, JobFailure, JobStopped } from '../job-kind.ts';
import { commitRows, fileKey, scratchFile } from './commit-rows.ts';
import { readSource, type SourceRows } from './read-source.ts';
import { MAX_WORK_MS, type RefreshWorker } from './refresh-worker.ts';

/** Reads, prepares and commits the rows of the source. */
export async function refresh(
  worker: RefreshWorker,
  job: StoredJob,
  control: JobControl,
): Promise<Record<string, unknown>> {
  const { table, objects } = worker;
  const deadline = performance.now() + MAX_WORK_MS;
  let attempt: RefreshAttempt | undefined;
  try {
    const load = await commitRows(worker, { job, control, turns: turnsOfDataset(job.subjectId) }, async () => {
      const dataset = await datasetRepository(table).get(job.workspaceId, job.subjectId);
      // The dataset was deleted while the job waited or ran.
      if (!dataset) throw new JobStopped('cancelled');
      const refused = await whyRefused(worker.copies, datasetCopy(dataset));
      if (refused !== undefined) throw new JobFailure('RLS_COPY', refused);
      const current = await readManifest(table, objects, dataset);
      if (!attempt?.continues(dataset, current)) {
        await attempt?.end();
        attempt = new RefreshAttempt(worker, { job, control, dataset, current, deadline });
      }
      const { prepared, ...found } = await attempt.prepare(dataset, current);
      return {
        dataset,
        mode: attempt.loadOptions.mode,
        ...prepared,
        origin: { kind: 'refresh', jobId: job.id },
        ...found,
      };
    });
    return resultOf(load);
  } finally {
    await attempt?.end();
  }
}

/** What the rows of a refresh depend on: as long as it is the same, they need not be read again. */
const basisOf = ({ source, mode, incremental, columns }: Dataset, current: Manifest | undefined): string =>
  JSON.stringify([source, mode, incremental, current?.columns ?? columns, current?.watermark]);

function resultOf(load: CommittedLoad): Record<string, unknown> {
  const { version, rowsLoaded, bytesLoaded, rowCount, rejected, changedValues } = load;
  const leftOut = rejected ? { rowsRejected: rejected.rows, firstRejectedLine: rejected.firstLine } : {};
  return { version, rowsLoaded, bytesLoaded, rowCount, ...leftOut, ...(changedValues ? { changedValues } : {}) };
}

const acceptedOf = (source: DatasetSource) => ('acceptNullColumns' in source ? source.acceptNullColumns : undefined);

interface ReadRows {
  rows: SourceRows;
  watermark: DatasetWatermark | undefined;
}

/** One reading of the source, and the versions that are prepared of it. */
class RefreshAttempt {
  loadOptions: LoadHow = { mode: 'overwrite' };
  readonly #worker: RefreshWorker;
  readonly #job: StoredJob;
  readonly #control: JobControl;
  readonly #dataset: Dataset;
  readonly #current: Manifest | undefined;
  readonly #deadline: number;
  readonly #out: string;
  readonly #stored: StoredParts = new Map();
  #read: ReadRows | undefined;

  constructor(
    worker: RefreshWorker,
    of: { job: StoredJob; control: JobControl; dataset: Dataset; current: Manifest | undefined; deadline: number },
  ) {
    this.#worker = worker;
    this.#job = of.job;
    this.#control = of.control;
    this.#dataset = of.dataset;
    this.#current = of.current;
    this.#deadline = of.deadline;
    this.#out = scratchFile(worker);
  }

  /** Whether its rows are those for the next version of the dataset. */
  continues(dataset: Dataset, current: Manifest | undefined): boolean {
    return basisOf(dataset, current) === basisOf(this.#dataset, this.#current);
  }

  async end(): Promise<void> {
    const out = this.#out;
    const files = [out, `${out}.all`, this.#knownPath, boundaryPath(out)];
    await Promise.all(files.map((path) => rm(path, { force: true })));
  }

  get #knownPath(): string {
    return `${this.#out}.known`;
  }

  /** Reads the source, unless it has done so, and stores the files of the next version. */
  async prepare(
    dataset: Dataset,
    current: Manifest | undefined,
  ): Promise<{
    prepared: Prepared;
    watermark: DatasetWatermark | undefined;
    rejected: SourceRows['rejected'];
    changedValues: ChangedValues[] | undefined;
  }> {
    this.#read ??= await this.#readRows();
    const { rows, watermark } = this.#read;
    const prepared = await this.#withEngine((engine) => {
      const { objects, cache } = this.#worker;
      const context = {
        engine,
        objects,
        cache,
        nextKey: () => fileKey(this.#job, dataset),
        scratchFile: () => scratchFile(this.#worker),
        stored: this.#stored,
      };
      const batch = {
        columns: rows.columns,
        rows: rows.rows,
        bytes: rows.bytes,
        paths: () => this.#paths(),
        store: async () => (rows.rows === 0 ? [] : [await storeFile(context, this.#out, rows)]),
      };
      return prepareLoad(context, batch, current, this.loadOptions, dataset.partitionBy);
    });
    return { prepared, watermark, rejected: rows.rejected, changedValues: reportedChanges(rows.changes ?? []) };
  }

  /** The file with the rows; once it is stored, it is in the cache. */
  async #paths(): Promise<string[]> {
    const stored = this.#stored.get('unchanged') ?? [];
    return stored.length > 0 ? this.#worker.cache.fetchAll(stored) : [this.#out];
  }

  async #readRows(): Promise<ReadRows> {
    const { source, columns } = this.#dataset;
    if (!source) throw new JobFailure('NO_SOURCE', 'The dataset has no source; set one before the refresh.');
    const { cursor, last } = await this.#continuation(this.#current, this.#knownPath);
    const rows = await readSource(this.#worker, {
      workspaceId: this.#job.workspaceId,
      source,
      cursor,
      columns: this.#current?.columns ?? columns,
      out: this.#out,
      signal: this.#control.signal,
      withEngine: (work) => this.#withEngine(work),
    });
    this.#rejectTooMuch(rows);
    // The new rows of an increment may lack values that the column has in others.
    if (this.loadOptions.mode === 'overwrite') rejectEmptied(rows.changes ?? [], acceptedOf(source));
    const watermark = (await this.#nextWatermark(rows.watermark)) ?? last;
    this.#control.progress({ rows: rows.rows, bytes: rows.bytes });
    return { rows, watermark };
  }

  /**
   * The first incremental read covers everything and replaces the rows; later ones continue at the version's watermark.
   */
  async #continuation(
    current: Manifest | undefined,
    knownPath: string,
  ): Promise<{ cursor: Cursor | undefined; last: DatasetWatermark | undefined }> {
    const { source, mode, incremental } = this.#dataset;
    if (mode !== 'incremental' || !incremental || !source) return { cursor: undefined, last: undefined };
    const { cursorColumn: column, initialValue, lagSeconds, mergeKey } = incremental;
    const last = current?.watermark?.of === watermarkSubject(source, incremental) ? current.watermark : undefined;
    if (last) this.loadOptions = mergeKey ? { mode: 'merge', mergeKey } : { mode: 'append' };
    const boundary = last && (await openBoundary(this.#worker, last, knownPath));
    const from = last?.to ?? (initialValue === undefined ? undefined : String(initialValue));
    return {
      last,
      cursor: {
        column,
        ...(from === undefined ? {} : { from }),
        ...(lagSeconds ? { lagSeconds } : {}),
        ...(boundary ? { boundary } : {}),
      },
    };
  }

  async #nextWatermark(watermark: Watermark | undefined): Promise<DatasetWatermark | undefined> {
    const { source, incremental } = this.#dataset;
    if (!watermark || watermark.to === null) return undefined;
    const { column, to, boundary, lostColumn } = watermark;
    if (lostColumn !== undefined && !incremental!.mergeKey) {
      throw new JobFailure('TOO_LARGE', `${lostColumnText(lostColumn)}; use a mergeKey.`);
    }
    if (boundary === null && !incremental!.mergeKey) {
      const reason = `More than ${MAX_BOUNDARY_ROWS.toLocaleString('en')} rows are at the watermark, ${column} ${to}`;
      const remedy = 'use a cursor column with finer values, a smaller lagSeconds or a mergeKey';
      throw new JobFailure('TOO_LARGE', `${reason}, too many to recognise when they are read again; ${remedy}.`);
    }
    const kept = await storeBoundary(this.#worker.objects, boundary, fileKey(this.#job, this.#dataset));
    return { of: watermarkSubject(source!, incremental!), column, to, ...kept };
  }

  #rejectTooMuch({ rows, bytes, columns }: SourceRows): void {
    const found = { rows, bytes, columns: columns.length };
    for (const [what, limit] of Object.entries(this.#worker.limits) as [keyof typeof found, number][]) {
      if (found[what] > limit) {
        throw new JobFailure('TOO_LARGE', `The source has ${found[what]} ${what}; the limit of a refresh is ${limit}.`);
      }
    }
  }

  #withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const { signal, die } = this.#control;
    const timeoutMs = Math.max(1, Math.round(this.#deadline - performance.now()));
    const end = () => die({ code: 'OUT_OF_MEMORY', message: 'The refresh exceeded its time or memory limit.' });
    return withGuardedEngine(this.#worker.engineResources, { timeoutMs, signal, die: end }, work);
  }
}
