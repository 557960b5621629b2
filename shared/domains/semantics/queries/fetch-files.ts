import { DataError } from '../../../platform/errors/data-error.ts';
import type { ObjectCache } from '../../../platform/objects/object-cache.ts';
import type { TableInput } from '../../engine/index.ts';
import { filesOf } from './attach-table.ts';

export const sizeOf = (tables: readonly Pick<TableInput, 'files'>[]) =>
  tables.flatMap(({ files }) => files).reduce((sum, file) => sum + file.sizeBytes, 0);

/**
 * Fetches all files at once, also of the tables by which others are restricted, so that the cache holds every copy
 * while the statement runs.
 */
export async function fetchFiles(tables: readonly TableInput[], objects: ObjectCache): Promise<Map<string, string>> {
  const files = tables.flatMap(filesOf);
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (bytes > objects.maxBytes) {
    const [neededMb, limitMb] = [bytes, objects.maxBytes].map((size) => Math.ceil(size / 1024 / 1024));
    throw new DataError('OUT_OF_MEMORY', `The query reads ${neededMb} MB of files; the limit is ${limitMb} MB.`);
  }
  const paths = await objects.fetchAll(files);
  return new Map(files.map(({ key }, index) => [key, paths[index]!]));
}
