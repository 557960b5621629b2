import type { Readable } from 'node:stream';
import type { FileOptions } from '../../files/file-options.ts';
import type { NamedFormat } from '../../files/format-of.ts';
import type { ListPart, SourceTable } from './connector.ts';

export interface OpenedFile {
  body: Readable;
  /** Set if the store knows the format better than the file name does. */
  format?: NamedFormat;
  /** How the file is written, if the source says so. */
  options?: FileOptions;
  sizeBytes?: number;
}

export interface FileLimits {
  /** Maximum size of the content; a larger body fails with RESULT_TOO_LARGE. */
  maxBytes: number;
  /** Maximum size of one response of an endpoint, which is held in memory; 64 MiB by default. */
  pageBytes?: number;
  signal?: AbortSignal;
}

/** A place with files: a bucket, or a web service whose responses are files. */
export interface FileStore {
  /** Throws an error if files cannot be read. */
  test(): Promise<void>;
  /** Files, sorted by name. */
  list(part: ListPart): Promise<SourceTable[]>;
  /** Throws NOT_FOUND. */
  open(path: string, limits: FileLimits): Promise<OpenedFile>;
}
