import type { Engine } from '../../../../shared/engine/engine.ts';
import { EngineError } from '../../../../shared/engine/engine-error.ts';
import { type EngineRoom, withGuardedEngine } from '../../../../shared/engine/guarded-engine.ts';
import { quoteLiteral } from '../../../../shared/engine/quoting.ts';
import { storedColumns } from '../../../../shared/engine/storage-types.ts';
import type { StoredJob } from '../../../../shared/jobs/record.ts';
import type { ObjectCache } from '../../../../shared/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/objects/object-store.ts';
import { type DatasetDeps, mentionedDatasets, tablesOf } from '../../../../shared/query/dataset-tables.ts';
import {
  type QueryJobCommand,
  type QueryJobKeys,
  type QueryJobTold,
  queryJobKeys,
} from '../../../../shared/query/query-job.ts';
import { checkSelect } from '../../../../shared/sql/select-gate.ts';
import { type JobControl, JobFailure, type JobWork } from '../job-kind.ts';
import { writePages } from './write-pages.ts';

export interface QueryWorker extends DatasetDeps {
  objects: ObjectStore;
  cache: ObjectCache;
  room: EngineRoom;
  now(): Date;
}

const TOO_HEAVY = {
  code: 'QUERY_TOO_HEAVY',
  message: 'The query needed more memory or time than allowed and was stopped.',
};

/** Runs a statement for longer than a request may take and keeps its rows for a day. */
export function queryWork(worker: QueryWorker): JobWork {
  return {
    async run(job, control) {
      // A statement that has ended one process would end the next one too.
      if (job.attempt > 1) throw new JobFailure(TOO_HEAVY.code, TOO_HEAVY.message);
      const keys = queryJobKeys(job.workspaceId, job.id);
      const command = JSON.parse((await worker.objects.read(keys.command)).toString('utf8')) as QueryJobCommand;
      try {
        return await withGuardedEngine(
          worker.room,
          { timeoutMs: command.timeoutMs, signal: control.signal, die: () => control.die(TOO_HEAVY) },
          (engine) => answer(worker, engine, job, command, keys, control),
        );
      } catch (error) {
        if (error instanceof EngineError && error.code === 'OUT_OF_MEMORY')
          throw new JobFailure(TOO_HEAVY.code, error.message, { cause: error });
        throw error;
      }
    },
  };
}

const ROWS = 'temp.main.result';

async function answer(
  worker: QueryWorker,
  engine: Engine,
  job: StoredJob,
  command: QueryJobCommand,
  keys: QueryJobKeys,
  control: JobControl,
): Promise<Record<string, unknown>> {
  const asOf = worker.now().toISOString();
  const datasets = await mentionedDatasets(worker, { ...command, workspaceId: job.workspaceId });
  const { sql, tables } = await checkSelect(engine, command.sql, { tables: datasets.map(({ name }) => name) });
  await attach(
    worker,
    engine,
    datasets.filter(({ name }) => tables.includes(name)),
  );
  const path = engine.temporaryPath('parquet');
  await engine.run(`SET TimeZone = ${quoteLiteral(command.timezone)}`);
  await engine.lock([path]);

  const { limit, params } = command;
  const { columns, types } = await engine.keep(ROWS, sql, { params, limit: limit + 1 });
  const [[kept] = []] = await engine.run(`SELECT count(*) FROM ${ROWS}`);
  const rowCount = Math.min(Number(kept), limit);
  const rows = `SELECT * FROM ${ROWS} LIMIT ${rowCount}`;
  const { pages, isLossy } = await writePages(worker.objects, engine, rows, keys, (written) =>
    control.progress({ rows: written, percent: Math.round((written / Math.max(rowCount, 1)) * 90) }),
  );
  const file = await engine.copyToParquet(`SELECT ${storedColumns(columns, types)} FROM (${rows})`, { path });
  await worker.objects.upload(keys.file, path);
  const told: QueryJobTold = {
    columns,
    rowCount,
    truncated: Number(kept) > limit,
    warnings: isLossy ? ['NON_FINITE_AS_NULL'] : [],
    pages,
    fileBytes: file.bytes,
    asOf,
  };
  await worker.objects.write(keys.told, Buffer.from(JSON.stringify(told)), 'application/json');
  return { rowCount, truncated: told.truncated };
}

async function attach(worker: QueryWorker, engine: Engine, datasets: Parameters<typeof tablesOf>[1]): Promise<void> {
  const tables = await tablesOf(worker, datasets);
  const files = tables.flatMap((table) => table.files);
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (bytes > worker.cache.maxBytes) {
    const room = Math.floor(worker.cache.maxBytes / 1024 ** 2);
    throw new JobFailure(TOO_HEAVY.code, `The query reads more files than the ${room} MB that there is room for.`);
  }
  const paths = await worker.cache.fetchAll(files);
  const copies = new Map(files.map(({ key }, index) => [key, paths[index]!]));
  for (const table of tables) {
    await engine.attach(
      table.name,
      table.files.map(({ key }) => copies.get(key)!),
      { emptySchema: table.columns },
    );
  }
}
