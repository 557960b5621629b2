import type { Readable } from 'node:stream';
import type { NamedFormat } from '../../files/format-of.ts';
import type { ListPart, SourceTable } from './connector.ts';

export interface OpenedFile {
  body: Readable;
  /** Where the store knows it better than the name of the file does. */
  format?: NamedFormat;
  sizeBytes?: number;
}

export interface FileLimits {
  /** Of content: with more the body fails with RESULT_TOO_LARGE. */
  maxBytes: number;
  /** Of one answer of an endpoint, which is held in memory as a whole; 64 MiB when absent. */
  pageBytes?: number;
  signal?: AbortSignal;
}

/** What every place with files can be asked: a bucket, or endpoints of a web service whose answers are files. */
export interface FileStore {
  /** Throws what stands in the way of reading. */
  test(): Promise<void>;
  /** Files by name. */
  list(part: ListPart): Promise<SourceTable[]>;
  /** Throws NOT_FOUND. */
  open(path: string, limits: FileLimits): Promise<OpenedFile>;
}
