import { S3Error } from '../errors.ts';
import type { ChunkSignatures } from './chunk-signatures.ts';

const MAX_LINE_BYTES = 16 * 1024;

const malformed = () =>
  new S3Error('InvalidRequest', { message: 'The aws-chunked framing of the request body is not valid.' });

/**
 * Removes the framing of an `aws-chunked` body: `<hex size>[;chunk-signature=…]`, data, …, a chunk of size 0, trailing
 * headers, an empty line. Yields the data; `onTrailer` gets each trailing header. Throws `IncompleteBody` if the body
 * ends early, and `SignatureDoesNotMatch` if `signatures` do not fit.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  onTrailer: (name: string, value: string) => void,
  signatures?: ChunkSignatures,
): AsyncGenerator<Buffer> {
  const framing = new Framing(onTrailer, signatures);
  for await (const chunk of source) yield* framing.dataOf(chunk);
  if (!framing.isComplete) throw new S3Error('IncompleteBody');
  signatures?.end();
}

class Framing {
  #state: 'size' | 'data' | 'data-end' | 'trailer' | 'end' = 'size';
  /** Bytes of data left in the current chunk. */
  #remaining = 0;
  #line = '';
  #signature = '';
  readonly #onTrailer: (name: string, value: string) => void;
  readonly #signatures: ChunkSignatures | undefined;

  constructor(onTrailer: (name: string, value: string) => void, signatures: ChunkSignatures | undefined) {
    this.#onTrailer = onTrailer;
    this.#signatures = signatures;
  }

  /** Some clients end the body right after the last chunk, without the empty line. */
  get isComplete(): boolean {
    return this.#state === 'end' || this.#state === 'trailer';
  }

  /** The data in the next piece of the body. */
  *dataOf(piece: Buffer): Generator<Buffer> {
    let rest = piece;
    while (rest.length > 0 && this.#state !== 'end') {
      if (this.#state === 'data') {
        const data = rest.subarray(0, this.#remaining);
        rest = rest.subarray(data.length);
        this.#remaining -= data.length;
        this.#signatures?.update(data);
        if (this.#remaining === 0) this.#endChunk('data-end');
        yield data;
      } else {
        rest = this.#readLine(rest);
      }
    }
  }

  /** Reads up to the end of a line, which may be in a later piece, and returns the rest. */
  #readLine(piece: Buffer): Buffer {
    const lineFeed = piece.indexOf(0x0a);
    this.#line += piece.toString('latin1', 0, lineFeed < 0 ? piece.length : lineFeed);
    if (this.#line.length > MAX_LINE_BYTES) throw malformed();
    if (lineFeed < 0) return piece.subarray(piece.length);
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    this.#takeLine(line);
    return piece.subarray(lineFeed + 1);
  }

  #takeLine(line: string): void {
    if (this.#state === 'size') {
      this.#remaining = chunkSize(line);
      this.#signature = /;\s*chunk-signature=([0-9a-f]+)/.exec(line)?.[1] ?? '';
      if (this.#remaining === 0) this.#endChunk('trailer');
      else this.#state = 'data';
    } else if (this.#state === 'data-end') {
      if (line !== '') throw malformed();
      this.#state = 'size';
    } else if (line === '') {
      this.#state = 'end';
    } else {
      const colon = line.indexOf(':');
      if (colon < 0) throw malformed();
      const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
      this.#signatures?.trailer(name, value);
      this.#onTrailer(name, value);
    }
  }

  #endChunk(next: 'data-end' | 'trailer'): void {
    this.#signatures?.endChunk(this.#signature);
    this.#state = next;
  }
}

function chunkSize(line: string): number {
  const size = line.split(';', 1)[0]!.trim();
  if (!/^[0-9a-f]{1,12}$/i.test(size)) throw malformed();
  return Number.parseInt(size, 16);
}
