import { randomUUID } from 'node:crypto';
import type { FileStore } from '../../../shared/data/connectors/connection/file-store.ts';
import type { FileOptions } from '../../../shared/data/files/file-options.ts';
import type { NamedFormat } from '../../../shared/data/files/format-of.ts';
import type { FileFormat } from '../../../shared/data/files/formats.ts';
import type { EngineFunction, InspectAnswer, InspectRequest } from '../../../shared/domains/engine/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../shared/platform/objects/object-store.ts';
import { rejectInvalidOptions } from './preview-options.ts';

/** The beginning of a text file suffices to determine its columns; other formats are read whole. */
const HEAD_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** A response may be a single record, which takes fifty times its size in memory when parsed. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const SAMPLE_ROWS = 20;

export interface Inspection {
  /** Returns the columns and first rows of an object in the data bucket. Throws `FILE_UNREADABLE`. */
  ofObject(file: InspectRequest['file'], format: NamedFormat, options: FileOptions): Promise<InspectAnswer>;
  /**
   * Does the same for a file that the engine cannot reach: copies as much as needed, and removes the copy afterwards.
   */
  ofFile(store: FileStore, path: string, given: NamedFormat | undefined, options: FileOptions): Promise<InspectAnswer>;
}

export function inspection(engine: EngineFunction, objects: ObjectStore): Inspection {
  const ofObject: Inspection['ofObject'] = (file, format, options) =>
    engine.inspect({ file, ...format, options, sampleRows: SAMPLE_ROWS });
  return {
    ofObject,
    async ofFile(store, path, given, options) {
      const opened = await store.open(path, { maxBytes: MAX_BYTES, pageBytes: MAX_PAGE_BYTES });
      // An endpoint has its format, whatever its name ends with.
      const format = given?.isHint ? (opened.format ?? given) : (given ?? opened.format);
      if (!format) {
        opened.body.destroy();
        throw new AppError('VALIDATION_FAILED', {
          errors: [
            { pointer: '/query/format', code: 'REQUIRED', message: 'is required: the file name does not indicate it' },
          ],
        });
      }
      rejectInvalidOptions(options, format.format);
      const lines = !format.compression && (format.format === 'csv' || format.format === 'ndjson');
      const content = lines ? await firstLines(opened.body, format.format) : Buffer.concat(await opened.body.toArray());
      const key = `staging/inspect/${randomUUID()}`;
      await objects.write(key, content, 'application/octet-stream');
      try {
        return await ofObject({ key }, format, { ...opened.options, ...options });
      } finally {
        await objects.remove([key]);
      }
    },
  };
}

/** A list of JSON, a Parquet file or a workbook, whatever the name of the file indicates. */
const WHOLE = /^(?:\xef\xbb\xbf)?\s*\[|^PAR1|^PK/;

/** Reads whole rows, about 4 MiB of them, or all of a file that has none. */
async function firstLines(body: AsyncIterable<Buffer>, format: FileFormat): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes < HEAD_BYTES || WHOLE.test(chunks[0]!.toString('latin1', 0, 64))) continue;
    const text = Buffer.concat(chunks);
    const end = format === 'csv' ? lastRowEnd(text) : text.lastIndexOf(LINE_END);
    if (end >= 0) return text.subarray(0, end + 1);
  }
  return Buffer.concat(chunks);
}

const [LINE_END, QUOTE] = [0x0a, 0x22];

/** The last line break outside of quotes. */
function lastRowEnd(text: Buffer): number {
  let [end, isQuoted] = [-1, false];
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === QUOTE) isQuoted = !isQuoted;
    else if (text[i] === LINE_END && !isQuoted) end = i;
  }
  return end;
}
