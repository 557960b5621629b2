import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** The files of a ZIP archive, by name. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer)(archive, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.on('entry', (entry: Entry) => {
    zip.openReadStream(entry, async (error, stream) => {
      if (error) return reject(error);
      files.set(entry.fileName, await buffer(stream));
      zip.readEntry();
    });
  });
  zip.on('end', resolve);
  zip.on('error', reject);
  zip.readEntry();
  await promise;
  return files;
}
