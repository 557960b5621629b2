/** A checksum over bytes that come in pieces. */
export interface Digest {
  update(chunk: Buffer): void;
  digest(): Buffer;
}
