import type { ChecksumAlgorithm } from './payload/digests.ts';

export type Tags = Record<string, string>;

export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export interface Checksum {
  algorithm: ChecksumAlgorithm;
  /** Base64, with `-<parts>` when composite. */
  value: string;
  type: ChecksumType;
}

export interface Encryption {
  algorithm: string;
  kmsKeyId?: string;
  bucketKey?: boolean;
}

/** Stored and returned with an object's content. */
export interface ObjectAttributes {
  /** `content-type`, `cache-control` and the like, by lower-case name. */
  headers: Record<string, string>;
  /** User metadata, by name without `x-amz-meta-`. */
  metadata: Record<string, string>;
  storageClass: string;
  encryption: Encryption;
  checksum?: Checksum;
}

/** Takes one chunk; resolves when it is ready for the next one. */
export type Sink = (chunk: Buffer) => Promise<void>;
