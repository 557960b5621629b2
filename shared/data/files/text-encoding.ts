import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileChunks } from '../duckdb/file-chunks.ts';
import { unreadable } from './file-format.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1';

const BYTE_ORDER_MARKS: [bytes: number[], encoding: TextEncoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Returns the path of the text in UTF-8 without a byte order mark: the file itself, or a copy at `copyPath`. A byte
 * order mark takes precedence over `encoding`. Without either, the file is read as UTF-8, or as UTF-16 if it looks like
 * it. Throws FILE_UNREADABLE at the first invalid byte.
 */
export async function asUtf8(path: string, encoding: TextEncoding | undefined, copyPath: string): Promise<string> {
  const start = await firstBytes(path);
  const mark = BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, i) => start[i] === byte));
  const actual = mark?.[1] ?? encoding ?? looksLike(start);
  const skipped = mark?.[0].length ?? 0;
  const source = () => createReadStream(path, { start: skipped, highWaterMark: 1024 * 1024 });

  if (actual === 'utf-8') {
    if (skipped === 0) {
      for await (const _ of checkUtf8(fileChunks(path), path, 0));
      return path;
    }
    await pipeline(checkUtf8(source(), path, skipped), createWriteStream(copyPath));
    return copyPath;
  }
  await pipeline(transcode(source(), actual), createWriteStream(copyPath));
  return copyPath;
}

/**
 * Detects UTF-16 without a byte order mark: most characters of a table are among the first 256, so the same byte of
 * each pair is zero.
 */
function looksLike(start: Buffer): TextEncoding {
  const pairs = Math.floor(start.length / 2);
  if (pairs === 0) return 'utf-8';
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (start[at] === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > pairs / 2 && even === 0) return 'utf-16le';
  if (even > pairs / 2 && odd === 0) return 'utf-16be';
  return 'utf-8';
}

const LOOKED_AT_BYTES = 4096;

async function firstBytes(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { end: LOOKED_AT_BYTES - 1 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

async function* transcode(chunks: AsyncIterable<Buffer>, encoding: TextEncoding): AsyncGenerator<string> {
  // Files labelled Latin-1 are nearly always its superset Windows-1252.
  const decoder = new TextDecoder(encoding === 'latin-1' ? 'windows-1252' : encoding, { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw unreadable(`The file is not valid ${encoding.toUpperCase()}.`, cause);
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

/** Passes the chunks on. A character that is split between two chunks is checked with the second one. */
async function* checkUtf8(chunks: AsyncIterable<Buffer>, path: string, offset: number): AsyncGenerator<Buffer> {
  let carried = Buffer.alloc(0);
  let position = offset;
  for await (const chunk of chunks) {
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
    const whole = bytes.length - cutCharacterLength(bytes);
    await check(bytes.subarray(0, whole), position, path);
    position += whole;
    carried = Buffer.from(bytes.subarray(whole));
    yield chunk;
  }
  await check(carried, position, path);
}

async function check(bytes: Buffer, position: number, path: string): Promise<void> {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw unreadable(`The file is not text: byte ${position + zero} is zero.`);
  if (isUtf8(bytes)) return;
  const invalid = position + firstInvalid(bytes);
  const place = `byte ${invalid}, in line ${1 + (await lineEndsBefore(invalid, path))}`;
  throw unreadable(
    `The file is not valid UTF-8 at ${place}. If it is in another encoding, name it in options.encoding.`,
  );
}

/** Counted only for an error message, because counting the lines of every file would take longer than checking it. */
async function lineEndsBefore(end: number, path: string): Promise<number> {
  let count = 0;
  if (end === 0) return count;
  for await (const chunk of createReadStream(path, { end: end - 1 })) {
    for (const byte of chunk as Buffer) if (byte === 0x0a) count += 1;
  }
  return count;
}

/** The number of bytes at the end that begin an incomplete character. */
function cutCharacterLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

/**
 * The length of the longest valid prefix, found by bisection. An incomplete character at the end of a prefix is not
 * invalid.
 */
function firstInvalid(bytes: Buffer): number {
  const validUpTo = (end: number) => isUtf8(bytes.subarray(0, end - cutCharacterLength(bytes.subarray(0, end))));
  let low = 0;
  let high = bytes.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (validUpTo(middle)) low = middle;
    else high = middle;
  }
  return low - cutCharacterLength(bytes.subarray(0, low));
}
