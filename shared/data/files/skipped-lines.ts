import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { unreadable } from './file-format.ts';

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
/** Lines above a table are titles; a whole file of lines would be read into memory. */
const MAX_SKIPPED_BYTES = 16 * 1024 ** 2;

/** The bytes of the first lines of a file. Throws FILE_UNREADABLE if nothing follows them. */
export async function firstLinesOf(path: string, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let [bytes, lines] = [0, 0];
  let afterReturn = false;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const [at, byte] of chunk.entries()) {
      // The line feed of a pair belongs to the line that the carriage return has ended.
      const isEnd = lines === count && !(afterReturn && byte === LINE_FEED);
      if (isEnd) return Buffer.concat([...chunks, chunk.subarray(0, at)]);
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && !afterReturn)) lines += 1;
      afterReturn = byte === CARRIAGE_RETURN;
    }
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_SKIPPED_BYTES) throw unreadable(`The first ${count} lines have more than 16 MiB.`);
  }
  throw unreadable(`The file has no row after line ${count}, so nothing is left to read.`);
}

/**
 * A copy of a file whose first bytes have a letter in place of each text. DuckDB 1.5 looks for quotes in lines that it
 * skips, and may take the whole file for a part of them.
 */
export async function withoutTexts(path: string, first: Buffer, copyPath: string): Promise<void> {
  async function* content() {
    yield first.toString('latin1').replace(/[^\r\n]+/g, 'x');
    yield* createReadStream(path, { start: first.length, highWaterMark: 1024 ** 2 });
  }
  await pipeline(content, createWriteStream(copyPath));
}
