import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  path: string;
  /** The bytes, which are read when the entries before it are written. */
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Whether the bytes are compressed already, so that another compression would only take time. */
  isCompressed?: boolean;
}

/** Throws if a file that is being written is too large, or takes too long. */
export type WriteCheck = (bytesWritten: number) => void;

/**
 * Writes the entries one after the other to a ZIP file, piece by piece. What yields entries may wait for those before.
 */
export async function writeZip(
  path: string,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  modifiedAt: Date,
  check: WriteCheck = () => {},
): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const file = createWriteStream(path);
  const written = pipeline(output, file);
  async function* checked(content: ReturnType<ZipEntry['content']>) {
    for await (const piece of content) {
      check(file.bytesWritten);
      yield piece;
    }
  }
  try {
    for await (const entry of entries) {
      const stream = Readable.from(checked(entry.content()));
      zip.addReadStream(stream, entry.path, {
        mtime: modifiedAt,
        ...(entry.isCompressed ? { compress: false } : { compressionLevel: FAST }),
      });
      await Promise.race([finished(stream), written]);
    }
    zip.end();
  } catch (error) {
    output.destroy(error as Error);
  }
  await written;
}

/** Half the time of the usual level, for a tenth more bytes. */
const FAST = 3;
