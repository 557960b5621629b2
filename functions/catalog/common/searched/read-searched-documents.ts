import type { SearchDocument } from '../../../../shared/domains/catalog/search/index.ts';
import { certifications } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { cardReader } from './card-reader.ts';
import { readingOf, SEARCHED_KINDS, type Searched } from './searched-kinds.ts';
import { tagging } from './tagging.ts';

/** Everything that a search of the workspace could find, for any caller. */
export async function readSearchedDocuments(table: Table, workspaceId: string): Promise<SearchDocument[]> {
  const reading = readingOf(table, workspaceId, cardReader(table));
  const [certified, found] = await Promise.all([
    certifications(table).readAll(workspaceId),
    Promise.all(SEARCHED_KINDS.map((kind) => unlessTooMany(kind.read(table, workspaceId, reading)))),
  ]);
  const tag = tagging(certified);
  return found.flatMap((objects = []) => objects.flatMap((object) => documentsOf(tag(object))));
}

/** The draft and, where its readers see something else, the published version. */
export const documentsOf = ({ draft, published }: Searched): SearchDocument[] =>
  published ? [draft, published] : [draft];

/** Undefined if there are too many objects of a kind. */
export async function unlessTooMany<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === 'LIST_TOO_LARGE') return undefined;
    throw error;
  }
}
