import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Verified } from '../../../core/access/signatures.ts';
import { S3Error } from '../errors.ts';

const EMPTY_HASH = hash('sha256', '');

/** The chain of signatures in a streamed upload: each chunk signs its data and the signature before it. */
export class ChunkSignatures {
  readonly #verified: Verified;
  readonly #hasTrailer: boolean;
  #previous: string;
  #data = createHash('sha256');
  #trailer = '';
  #trailerSignature = '';

  constructor(verified: Verified, options: { hasTrailer: boolean }) {
    this.#verified = verified;
    this.#hasTrailer = options.hasTrailer;
    this.#previous = verified.authorization.signature;
  }

  update(data: Buffer): void {
    this.#data.update(data);
  }

  /** Throws `SignatureDoesNotMatch` unless the chunk's data have this signature. */
  endChunk(signature: string): void {
    this.#check('PAYLOAD', [EMPTY_HASH, this.#data.digest('hex')], signature);
    this.#data = createHash('sha256');
  }

  trailer(name: string, value: string): void {
    if (name === 'x-amz-trailer-signature') this.#trailerSignature = value;
    else this.#trailer += `${name}:${value}\n`;
  }

  /** Throws `SignatureDoesNotMatch` unless the trailing headers are signed. */
  end(): void {
    if (this.#hasTrailer) this.#check('TRAILER', [hash('sha256', this.#trailer)], this.#trailerSignature);
  }

  #check(kind: 'PAYLOAD' | 'TRAILER', hashes: string[], signature: string): void {
    const { signedAt, scope } = this.#verified.authorization;
    const place = `${scope.date}/${scope.region}/${scope.service}/aws4_request`;
    const text = [`AWS4-HMAC-SHA256-${kind}`, signedAt, place, this.#previous, ...hashes].join('\n');
    const expected = createHmac('sha256', this.#verified.signingKey).update(text).digest();
    const provided = Buffer.from(signature, 'hex');
    if (provided.length !== expected.length || !timingSafeEqual(provided, expected)) {
      throw new S3Error('SignatureDoesNotMatch');
    }
    this.#previous = signature;
  }
}
