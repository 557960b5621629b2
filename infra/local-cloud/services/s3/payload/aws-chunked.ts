import { S3Error } from '../errors.ts';

const MAX_LINE_BYTES = 16 * 1024;

const malformed = () =>
  new S3Error('InvalidRequest', { message: 'The aws-chunked framing of the request body is not valid.' });

/**
 * Takes the framing off an `aws-chunked` body: `<hex size>[;chunk-signature=…]`, data, …, a chunk of size 0, trailing
 * headers, an empty line. Yields the data; `onTrailer` gets each trailing header. Chunk signatures are read, not
 * verified, like all signatures here. Throws `IncompleteBody` when the body ends early.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Buffer> {
  let state: 'size' | 'data' | 'data-end' | 'trailer' | 'end' = 'size';
  let remaining = 0;
  let line = '';

  for await (const chunk of source) {
    let position = 0;
    while (position < chunk.length && state !== 'end') {
      if (state === 'data') {
        const data = chunk.subarray(position, position + remaining);
        position += data.length;
        remaining -= data.length;
        if (remaining === 0) state = 'data-end';
        yield data;
        continue;
      }
      const lineFeed = chunk.indexOf(0x0a, position);
      line += chunk.toString('latin1', position, lineFeed < 0 ? chunk.length : lineFeed);
      if (line.length > MAX_LINE_BYTES) throw malformed();
      if (lineFeed < 0) break;
      position = lineFeed + 1;
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      line = '';
      if (state === 'size') {
        remaining = chunkSize(text);
        state = remaining === 0 ? 'trailer' : 'data';
      } else if (state === 'data-end') {
        if (text !== '') throw malformed();
        state = 'size';
      } else if (text === '') {
        state = 'end';
      } else {
        const colon = text.indexOf(':');
        if (colon < 0) throw malformed();
        onTrailer(text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim());
      }
    }
  }
  // Some clients end the body right after the last chunk, without the empty line.
  if (state !== 'end' && state !== 'trailer') throw new S3Error('IncompleteBody');
}

function chunkSize(line: string): number {
  const size = line.split(';', 1)[0]!.trim();
  if (!/^[0-9a-f]{1,12}$/i.test(size)) throw malformed();
  return Number.parseInt(size, 16);
}
