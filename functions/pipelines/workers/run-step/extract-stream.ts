import type { CopyResult } from '../../../../shared/data/duckdb/engine.ts';
import {
  type CaptureState,
  captureStates,
  changeLog,
  LogCompacted,
  qualified,
  readChanges,
  type StoredStream,
  streamRepository,
  type TableState,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import { isRefreshed, type StreamConfig } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { readWatermark, type StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { scratchFile, storeOutput } from './output.ts';
import { incrementOf } from './watermark.ts';

/**
 * The watermark of a stream holds its id and the last loaded batch, so a recreated stream starts from the beginning.
 */
const WATERMARK = '_cdc';

/**
 * Reads a CDC stream from its captured batches, not from the source: in mode incremental the changes since the last
 * load, otherwise the current rows.
 */
export async function extractStream(attempt: Attempt, config: StreamConfig): Promise<StepResult> {
  const { worker, run } = attempt;
  const { table } = worker.context;
  const stream = await streamRepository(table).byName(run.workspaceId, config.sourceId, config.object.stream);
  if (!stream || stream.deletedAt) throw new StepFailure('NOT_FOUND', 'The CDC stream of the step was deleted.');
  const isIncremental = config.mode === 'incremental';
  if (isIncremental && run.backfillId) {
    const message =
      'A backfill cannot read a CDC stream incrementally, because its changes have no days; use mode full.';
    throw new StepFailure('SCHEMA_MISMATCH', message);
  }
  const { after, since, increment } = isIncremental ? await lastRead(attempt, stream) : FIRST_READ;
  const out = scratchFile(attempt);
  const { written, upTo } = await readStream(attempt, config, stream, { after, out });
  const to = `${stream.id}#${upTo}`;
  const watermark = {
    column: WATERMARK,
    since,
    from: after === null ? null : `${stream.id}#${after}`,
    to,
    boundary: [],
  };
  const output: StepOutput = {
    ...(await storeOutput(attempt, out, written)),
    ...(isIncremental ? { watermark, ...increment } : {}),
  };
  return { output, rowsIn: 0, rowsOut: output.rows, bytesOut: output.bytes };
}

/** Reads up to the current end of the stream; starts again if the batches were compacted in between. */
async function readStream(
  attempt: Attempt,
  config: StreamConfig,
  stream: StoredStream,
  { after, out }: { after: number | null; out: string },
): Promise<{ written: CopyResult; upTo: number }> {
  const { context, objects, cache } = attempt.worker;
  const name = tableOf(stream, config);
  const { upTo, schemaSeq } = readable(name, await captureStates(context.table).get(stream));
  const what = after === null ? `the rows of ${name}` : `the changes of ${name} after batch ${after}`;
  attempt.log('info', `Reading ${what}.`);
  const columns = config.columns ? { columns: config.columns } : {};
  try {
    const written = await readChanges(
      {
        log: changeLog(context.table, objects),
        engine: attempt.engine,
        localCopies: (files) => cache.fetchAll(files.map(({ key }) => ({ key }))),
      },
      { place: stream, table: name, after, upTo, schemaSeq, out, ...columns },
    );
    return { written, upTo };
  } catch (error) {
    if (!(error instanceof LogCompacted)) throw error;
    return readStream(attempt, config, stream, { after, out });
  }
}

function tableOf({ tables }: StoredStream, { object }: StreamConfig): string {
  const names = tables.map(({ name }) => name);
  if (object.table === undefined && names.length === 1) return names[0]!;
  const name = object.table === undefined ? undefined : qualified(object.table);
  if (name !== undefined && names.includes(name)) return name;
  throw new StepFailure('NOT_FOUND', `The CDC stream has the tables ${names.join(', ')}; name one of them.`);
}

/** The last batch up to which the changes of the table are a consistent state of the source. */
function readable(name: string, state: CaptureState | undefined): { upTo: number; schemaSeq: number } {
  const table: TableState | undefined = state?.tables[name];
  if (table?.error) {
    throw new StepFailure('NOT_FOUND', `The capture of ${name} has stopped: ${table.error.message} Resync the table.`);
  }
  const upTo = table?.complete ? state!.seq : (table?.readableUpTo ?? null);
  if (!table || upTo === null || table.schemaSeq === null) {
    throw new StepFailure('NOT_FOUND', `The first snapshot of ${name} is not complete yet; retry the run later.`);
  }
  return { upTo, schemaSeq: table.schemaSeq };
}

interface LastRead {
  /** The last batch that was loaded; null if all rows have to be read. */
  after: number | null;
  since: number;
  increment: Pick<StepOutput, 'increment'>;
}

const FIRST_READ: LastRead = { after: null, since: 0, increment: {} };

async function lastRead({ worker, run, node }: Attempt, { id }: StoredStream): Promise<LastRead> {
  const last = await readWatermark(worker.context.table, { ...run, ...node });
  const refreshes = isRefreshed(run.fullRefresh, node.stepId);
  const [of, seq] = last?.column === WATERMARK ? (last.to?.split('#') ?? []) : [];
  const after = of === id && !refreshes ? Number(seq) : null;
  const since = last?.moves ?? 0;
  return { after, since, increment: incrementOf(after !== null, refreshes && since > 0) };
}
