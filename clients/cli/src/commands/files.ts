import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Types } from '../../../typescript/src/index.ts';
import { command, type Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { bytes, counted, printable } from '../output.ts';

const PROGRESS_EVERY_MS = 1_000;

interface UploadFlags {
  to: string;
  path?: string;
  as?: string;
  refresh?: boolean;
}

export const upload = command<UploadFlags, string[]>({
  brief: 'Upload files to a data source of the type file, and make a dataset of one',
  changes: true,
  parameters: {
    positional: { kind: 'array', parameter: { brief: 'A file', parse: String, placeholder: 'file' }, minimum: 1 },
    flags: {
      to: { kind: 'parsed', parse: String, brief: 'Name or id of the data source', placeholder: 'SOURCE' },
      path: {
        kind: 'parsed',
        parse: String,
        brief: 'Path in the source; the name of the file by default',
        placeholder: 'PATH',
        optional: true,
      },
      as: {
        kind: 'parsed',
        parse: String,
        brief: 'Make a dataset with this name from the file; if it exists, --refresh is needed',
        placeholder: 'DATASET',
        optional: true,
      },
      refresh: {
        kind: 'boolean',
        brief: 'Read the file into the existing dataset',
        optional: true,
        withNegated: false,
      },
    },
  },
  async run(session, { to, path, as, refresh }, ...files) {
    const { api, terminal, signal } = session;
    if ((path !== undefined || as !== undefined) && files.length > 1)
      throw new CommandError(EXIT.usage, '--path and --as accept only one file.', 'TOO_MANY_FILES');
    if (refresh && as === undefined)
      throw new CommandError(EXIT.usage, '--refresh needs the name of the dataset: --as DATASET.', 'DATASET_MISSING');
    // All are looked at before the first is sent.
    const sizes = await Promise.all(files.map((file) => sizeOf(file)));
    const source = await idOf(api.dataSources, 'data source', to, { signal });
    const known = as === undefined ? undefined : await datasetNamed(session, as, refresh === true);
    for (const [index, file] of files.entries()) {
      const place = path ?? basename(file);
      let notedAt = Date.now();
      await api.uploads.file(source, place, await openAsBlob(file), {
        signal,
        onProgress({ sentBytes, totalBytes }) {
          if (terminal.isJson || Date.now() - notedAt < PROGRESS_EVERY_MS) return;
          notedAt = Date.now();
          terminal.note(`${place}: ${Math.floor((100 * sentBytes) / totalBytes)}% of ${bytes(totalBytes)}`);
        },
      });
      if (terminal.isJson) terminal.out(JSON.stringify({ type: 'uploaded', path: place, bytes: sizes[index] }));
      else terminal.note(`Uploaded ${place} (${bytes(sizes[index]!)}).`);
      if (as !== undefined) await importFile(session, { name: as, id: known, source, path: place });
    }
  },
});

/** The id of the dataset; undefined if there is none yet. Rows that exist are replaced only on request. */
async function datasetNamed({ api, signal }: Session, name: string, mayRefresh: boolean): Promise<string | undefined> {
  const { items } = await api.datasets.list({ name, limit: 1 }, { signal });
  const id = items[0]?.id;
  if (id !== undefined && !mayRefresh)
    throw new CommandError(
      EXIT.conflict,
      `The dataset ${name} already exists. Read the file into it with --refresh.`,
      'DATASET_EXISTS',
    );
  return id;
}

const POLL_MS = 500;

interface Importing {
  name: string;
  id: string | undefined;
  source: string;
  path: string;
}

/** Reads the uploaded file into the dataset, and waits for the end. */
async function importFile(session: Session, { name, id, source, path }: Importing): Promise<void> {
  const { api, terminal, signal } = session;
  const from = { source: { kind: 'file', sourceId: source, path } } as const;
  const made = id === undefined ? await api.datasets.create({ name, ...from }, { signal }) : undefined;
  // The dataset may have read another file so far.
  if (id !== undefined) await api.datasets.update(id, from, {}, { signal });
  const datasetId = made?.id ?? id!;
  const job = made?.job ?? (await api.datasets.refresh(datasetId, { signal }));
  const ended = await jobEnded(session, datasetId, job);
  if (ended.status !== 'succeeded') {
    const why = ended.error ? `: ${ended.error.code}: ${printable(ended.error.message)}` : '';
    throw new CommandError(
      EXIT.failed,
      `The import into ${name} ended with the status ${ended.status}${why}`,
      'IMPORT_NOT_SUCCEEDED',
      {
        datasetId,
        job: ended,
      },
    );
  }
  const { rowCount } = await api.datasets.get(datasetId, { signal });
  if (terminal.isJson) terminal.out(JSON.stringify({ type: 'imported', dataset: name, id: datasetId, rows: rowCount }));
  else terminal.note(`The dataset ${name} has ${counted(rowCount, 'row')}.`);
}

async function jobEnded({ api, signal }: Session, datasetId: string, job: Types.Job): Promise<Types.Job> {
  let current = job;
  while (current.status === 'queued' || current.status === 'running') {
    await sleep(POLL_MS, undefined, { signal });
    const { items } = await api.datasets.listHistory(datasetId, { limit: 10 }, { signal });
    current = items.find(({ id }) => id === job.id) ?? current;
  }
  return current;
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Error('it is not a file');
    return found.size;
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${file} cannot be read: ${(cause as Error).message}`, 'FILE_UNREADABLE');
  }
}

const FORMATS = ['pdf', 'xlsx', 'pptx', 'docx', 'csv'] as const;

export const exportFile = command<{ format: (typeof FORMATS)[number]; output?: string }, [dashboard: string]>({
  brief: 'Export a dashboard to a file',
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Name or id of the dashboard', parse: String, placeholder: 'dashboard' }],
    },
    flags: {
      format: { kind: 'enum', values: FORMATS, brief: 'Kind of file', default: 'pdf' },
      output: {
        kind: 'parsed',
        parse: String,
        brief: 'The file; named like the dashboard by default',
        placeholder: 'FILE',
        optional: true,
      },
    },
    aliases: { o: 'output' },
  },
  async run({ api, terminal, signal }, { format, output }, dashboard) {
    const id = await idOf(api.dashboards, 'dashboard', dashboard, { signal });
    const link = await api.exports.exportDashboard(id, { format }, { signal });
    const reply = await fetch(link.downloadUrl, { signal });
    if (!reply.ok || !reply.body)
      throw new CommandError(EXIT.failed, `The download failed with ${reply.status}.`, 'DOWNLOAD_FAILED');
    const { name } = await api.dashboards.get(id, {}, { signal }).catch(() => ({ name: id }));
    // A name may hold what a path must not.
    const file =
      output ??
      `${String(name)
        .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
        .replace(/^\.+/, '')}.${format}`;
    await pipeline(
      Readable.fromWeb(reply.body as never),
      createWriteStream(file, { flags: output === undefined ? 'wx' : 'w' }),
    );
    if (terminal.isJson) terminal.out(JSON.stringify({ file, bytes: link.bytes }));
    else terminal.note(`Wrote ${file} (${bytes(link.bytes)}).`);
  },
});
