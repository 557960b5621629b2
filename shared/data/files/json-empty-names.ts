import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Stands for an empty name, for which the engine finds no values. */
export const EMPTY_NAME = '\u0001empty name';
const WRITTEN = Buffer.from(JSON.stringify(EMPTY_NAME).slice(1, -1));

const [QUOTE, BACKSLASH, LINE_END, COLON, SPACE] = [0x22, 0x5c, 0x0a, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Copies JSON and gives members of its records with an empty name the name `EMPTY_NAME`. */
export async function nameEmptyMembers(path: string, outPath: string, recordDepth: number): Promise<void> {
  const reader = createReadStream(path, { highWaterMark: 1024 * 1024 });
  await pipeline(reader, (chunks: AsyncIterable<Buffer>) => named(chunks, recordDepth), createWriteStream(outPath));
}

async function* named(chunks: AsyncIterable<Buffer>, recordDepth: number): AsyncGenerator<Buffer> {
  let [isText, isEscaped, isEmpty, depth] = [false, false, false, 0];
  // An empty text, and the white space after it, until what follows shows whether it is a name.
  let waiting: Buffer | undefined;
  for await (const bytes of chunks) {
    const parts: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (waiting && !(byte <= SPACE)) {
        if (byte === COLON && depth === recordDepth) parts.push(WRITTEN);
        parts.push(waiting, bytes.subarray(start, at));
        [waiting, start] = [undefined, at];
      }
      if (!isText) {
        if (byte === QUOTE) [isText, isEscaped, isEmpty] = [true, false, true];
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
        else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
        continue;
      }
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) [isEscaped, isEmpty] = [true, false];
      else if (byte === QUOTE || byte === LINE_END) {
        isText = false;
        if (byte !== QUOTE || !isEmpty) continue;
        parts.push(bytes.subarray(start, at));
        [waiting, start] = [Buffer.alloc(0), at];
      } else isEmpty = false;
    }
    if (waiting) waiting = Buffer.concat([waiting, bytes.subarray(start)]);
    else parts.push(bytes.subarray(start));
    yield Buffer.concat(parts);
  }
  if (waiting) yield waiting;
}
