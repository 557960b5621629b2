import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { untilAborted } from '../../../../shared/data/connectors/connection/abortable.ts';
import { ownBucketError } from '../../../../shared/data/connectors/open-source.ts';
import { openS3Folder, type S3Folder } from '../../../../shared/data/connectors/s3/folder.ts';
import type { SettingsOf } from '../../../../shared/data/connectors/source-types.ts';
import {
  type DoneLoad,
  type FolderLoad,
  type FolderManifest,
  MANIFEST,
  nextManifest,
  parseManifest,
  type TargetFile,
} from '../../../../shared/data/files/folder-manifest.ts';
import { writeParts } from '../../../../shared/data/files/write-parts.ts';
import { TARGET_MEDIA_TYPES } from '../../../../shared/data/files/write-rows.ts';
import { columnsAfter } from '../../../../shared/data/tables/column-union.ts';
import type { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import { allColumns, convertedRows } from '../../../../shared/data/tables/load-context.ts';
import { changeText, MAX_REPORTED_CHANGES } from '../../../../shared/data/tables/schema-change.ts';
import { fitValueless } from '../../../../shared/data/tables/valueless-columns.ts';
import {
  fillTemplate,
  isFolderPath,
  type LoadFilesConfig,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { loadKeyOf } from '../../../../shared/domains/pipelines/store/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { inTurns } from '../../../../shared/platform/storage/turns.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { checkLease } from './lease-check.ts';
import { openTarget } from './load-target.ts';
import { attachInput, scratchFile } from './output.ts';
import { recordLoad } from './record-load.ts';
import { targetMissing, targetNotEmpty, targetRulesOf } from './target-rules.ts';
import { timedOut } from './watch.ts';
import { checkOvertaken } from './watermark.ts';

/**
 * Loads the input as files of a folder in a bucket. Their names derive from the load, so a repeated attempt writes the
 * same files. They become visible when the manifest of the folder, which is replaced conditionally, lists them: readers
 * of the manifest see the folder either before or after the load.
 */
export async function loadFiles(attempt: Attempt): Promise<StepResult> {
  const config = attempt.step.config as unknown as LoadFilesConfig;
  const path = fillTemplate(config.target.path, attempt.values);
  if (!isFolderPath(path))
    throw new StepFailure('NOT_FOUND', `The path ${JSON.stringify(path)} is not a valid folder.`);
  const { settings, options } = await openTarget(attempt, config.target.sourceId, 's3', 'files are loaded into S3');
  const { config: place, secrets } = settings as SettingsOf<'s3'>;
  if (place.bucket === options.ownBucket) throw ownBucketError();
  const folder = await untilAborted(attempt.signal, openS3Folder(place, secrets, options, path, attempt.signal));
  const { rows: rowsIn } = await attachInput(attempt, 'input');

  const loaded = await commit(attempt, config, { folder, path });
  const sink = { kind: 'files' as const, id: `${config.target.sourceId}/${path}` };
  await recordLoad(attempt, { rows: loaded.rows, bytes: loaded.bytes, sink });
  const { rows, bytes, schemaChanges = [] } = loaded;
  for (const change of schemaChanges) attempt.log('warn', changeText(change));
  return { rowsIn, rowsOut: rows, bytesOut: bytes, moved: { rows, bytes, sink }, schemaChanges };
}

async function commit(
  attempt: Attempt,
  config: LoadFilesConfig,
  { folder, path }: { folder: S3Folder; path: string },
): Promise<DoneLoad> {
  const load = digest(loadKeyOf(attempt.stored));
  const { missing, filled } = await targetRulesOf(attempt);
  const replaces = config.mode === 'append' ? 'nothing' : (config.scope ?? 'table');
  let written: { columns: string; load: FolderLoad } | undefined;
  const { run, signal, worker } = attempt;
  const of = { workspaceId: run.workspaceId, name: `files#${config.target.sourceId}/${path}` };
  const committed = await inTurns(worker.context.table, of, { signal }, async () => {
    const found = await folder.read(MANIFEST);
    const current = found && parseManifest(found.text);
    const done = current?.loads.find((earlier) => earlier.load === load);
    if (done) {
      attempt.log('info', `An earlier attempt loaded ${done.rows} rows.`);
      return done;
    }
    if (!current && missing) throw targetMissing(missing);
    if (filled && current?.files.some(({ rows }) => rows > 0)) throw targetNotEmpty(filled);
    if (current && replaces !== 'table') checkFolder(current, config.target);
    const before = current?.columns ?? [];
    // The files depend on the columns of the folder, and on nothing else that other loads change.
    const columns = JSON.stringify(before);
    if (written?.columns !== columns) {
      written = { columns, load: await writeFiles(attempt, config, before, { folder, load, replaces }) };
    }
    const prepared = written.load;
    const { next, gone: replaced } = nextManifest(current, prepared);
    await checkOvertaken(attempt);
    await checkLease(attempt);
    if (await folder.replace(MANIFEST, JSON.stringify(next), found?.etag)) {
      attempt.log(
        'info',
        `Loaded ${prepared.done.rows} rows in ${prepared.files.length} files as version ${next.version}.`,
      );
      await removeReplaced(attempt, folder, replaced);
      return prepared.done;
    }
    attempt.log('info', 'Another load changed the folder; this one is committed on the newer version.');
    return undefined;
  });
  if (!committed) throw timedOut(timeoutSecondsOf(attempt.step));
  return committed;
}

/** Stores the rows with the columns that the folder has after the load. */
async function writeFiles(
  attempt: Attempt,
  config: LoadFilesConfig,
  before: readonly DatasetColumn[],
  { folder, load, replaces }: { folder: S3Folder; load: string; replaces: FolderLoad['replaces'] },
): Promise<FolderLoad> {
  const { format, partitionBy = [] } = config.target;
  const { engine } = attempt;
  const incoming = await engine.describe('SELECT * FROM input');
  const fitted = await fitValueless(engine, 'input', { current: before, incoming }, async () => undefined);
  const options = { ...config, replaces: replaces === 'table', valueless: fitted.valueless };
  const union = columnsAfter(before, fitted.columns, options);
  const input = await convertedRows({ engine }, 'input', union.converted, union.columns, union);
  const sql = await allColumns({ engine }, input, union.columns);
  const files: TargetFile[] = [];
  let [rows, bytes, isLossy] = [0, 0, false];
  const parts = writeParts(engine, { sql, columns: union.columns, partitionBy, format }, () => scratchFile(attempt));
  for await (const part of parts) {
    const file = `${part.folder}load-${load}.${format}`;
    try {
      attempt.signal.throwIfAborted();
      await folder.upload(file, part.path, TARGET_MEDIA_TYPES[format]);
    } finally {
      await rm(part.path, { force: true });
    }
    files.push({ path: file, rows: part.rows, ...(part.partition ? { partition: part.partition } : {}) });
    rows += part.rows;
    bytes += part.bytes;
    isLossy ||= part.isLossy;
  }
  if (isLossy) attempt.log('warn', `${format} cannot hold NaN or infinity; these values are null in the files.`);
  const schemaChanges = union.changes.slice(0, MAX_REPORTED_CHANGES);
  const done = { load, rows, bytes, ...(schemaChanges.length > 0 ? { schemaChanges } : {}) };
  return { done, format, partitionBy, columns: union.columns, files, replaces };
}

function checkFolder(current: FolderManifest, next: LoadFilesConfig['target']): void {
  const describeLayout = ({ format, partitionBy = [] }: FolderManifest | typeof next) =>
    partitionBy.length > 0 ? `${format} by ${partitionBy.join(', ')}` : format;
  if (describeLayout(current) === describeLayout(next)) return;
  const message = `The folder holds ${describeLayout(current)}, but the load writes ${describeLayout(next)}; overwrite the whole folder or use another.`;
  throw new DataError('SCHEMA_MISMATCH', message);
}

/** Readers that list the folder should not see replaced files; readers of the manifest never do. */
async function removeReplaced(attempt: Attempt, folder: S3Folder, gone: readonly string[]): Promise<void> {
  try {
    await folder.remove(gone);
  } catch (error) {
    attempt.log(
      'warn',
      `${gone.length} replaced files could not be removed from the folder: ${(error as Error).message}`,
    );
  }
}

const digest = (loadKey: string) => createHash('sha256').update(loadKey).digest('hex').slice(0, 32);
