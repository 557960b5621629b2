import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** The archive with some of its texts changed: `edit` returns the new text of the entries whose names match. */
export async function editZip(bytes: Buffer, names: RegExp, edit: (text: string) => string): Promise<Buffer> {
  const written = new ZipFile();
  const result = buffer(written.outputStream as Readable);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const content = await buffer(await zip.openReadStreamPromise(entry));
    written.addBuffer(names.test(entry.fileName) ? Buffer.from(edit(content.toString())) : content, entry.fileName);
  }
  written.end();
  return result;
}
