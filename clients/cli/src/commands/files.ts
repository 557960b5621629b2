import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { command } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { bytes } from '../output.ts';

const PROGRESS_EVERY_MS = 1_000;

export const upload = command<{ to: string; path?: string }, string[]>({
  brief: 'Upload files to a data source of the type file',
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
    },
  },
  async run({ api, terminal, signal }, { to, path }, ...files) {
    if (path !== undefined && files.length > 1)
      throw new CommandError(EXIT.usage, '--path is for one file.', 'TOO_MANY_FILES');
    // All are looked at before the first is sent.
    const sizes = await Promise.all(files.map((file) => sizeOf(file)));
    const source = await idOf(api.dataSources, 'data source', to, { signal });
    for (const [index, file] of files.entries()) {
      const place = path ?? basename(file);
      let notedAt = Date.now();
      await api.uploads.file(source, place, await openAsBlob(file), {
        signal,
        onProgress({ sentBytes, totalBytes }) {
          if (terminal.isJson || Date.now() - notedAt < PROGRESS_EVERY_MS) return;
          notedAt = Date.now();
          terminal.note(`${place}: ${Math.floor((100 * sentBytes) / totalBytes)} % of ${bytes(totalBytes)}`);
        },
      });
      if (terminal.isJson) terminal.out(JSON.stringify({ type: 'uploaded', path: place, bytes: sizes[index] }));
      else terminal.note(`Uploaded ${place} (${bytes(sizes[index]!)}).`);
    }
  },
});

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
    const { name } = await api.dashboards.get(id, { signal }).catch(() => ({ name: id }));
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
