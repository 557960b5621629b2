/** An incremental checksum. */
export interface Digest {
  update(chunk: Buffer): void;
  digest(): Buffer;
}
