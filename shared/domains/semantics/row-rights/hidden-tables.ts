import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { DATASETS, isSamePlace, type ReadSourceTables, type SourcePlace, sharesRows } from '../models/index.ts';
import { type Reader, readerOnce } from './reader.ts';
import type { Reads, SourceReads } from './reads.ts';
import type { TableRights } from './rights.ts';
import { type Rights, type RightsDeps, tableRights } from './table-rights.ts';

export interface CopyDeps extends RightsDeps {
  /** The tables of a source as last synced. Without them, any table may return the rows of any other of its source. */
  readTables?: ReadSourceTables | undefined;
}

/** What the search looks at: a reader, and which of the tables it meets count. */
export interface Search {
  workspaceId: string;
  reader(): Promise<Reader>;
  counted(rights: Rights): readonly TableRights[];
}

/** The names of the tables of which the caller may not see all rows and columns, of those that are read. */
export async function hiddenTables(deps: CopyDeps, principal: Principal, reads: Reads): Promise<string[]> {
  const reader = readerOnce(deps.table, principal);
  return findTables(
    deps,
    { workspaceId: principal.workspaceId, reader, counted: ({ restricted }) => restricted },
    reads,
  );
}

/** The names of the counted tables of those that are read, each once. */
export async function findTables(deps: CopyDeps, search: Search, { sources, datasets }: Reads): Promise<string[]> {
  const named = datasets === 'all' ? datasets : datasets.map((table) => ({ schema: '', table }));
  const found = await Promise.all([
    rightsTo(deps, search, DATASETS, named),
    ...sources.map((read) => ofSource(deps, search, read)),
  ]);
  return [...new Set(found.flat().map(({ place }) => nameOf(place)))].sort();
}

const nameOf = ({ schema, table }: SourcePlace): string => (schema === '' ? table : `${schema}.${table}`);

async function rightsTo(
  deps: RightsDeps,
  { workspaceId, reader, counted }: Search,
  sourceId: string,
  tables: readonly SourcePlace[] | 'all',
): Promise<readonly TableRights[]> {
  if (tables.length === 0) return [];
  return counted(await tableRights(deps, { workspaceId, sourceId, tables, reader }));
}

/** A table counts if it is read by its name, or if one that is read may return rows of it. */
async function ofSource(deps: CopyDeps, search: Search, read: SourceReads): Promise<readonly TableRights[]> {
  const { sourceId, tables } = read;
  const all = await rightsTo(deps, search, sourceId, 'all');
  if (all.length === 0 || tables === 'all') return all;
  const named = await rightsTo(deps, search, sourceId, tables);
  const known = await deps.readTables?.({ workspaceId: search.workspaceId, sourceId });
  const reads = tables.map((place) => sharesRows(known, place));
  const isNamed = ({ place }: TableRights) => named.some((other) => isSamePlace(other.place, place));
  return [...named, ...all.filter((each) => !isNamed(each) && reads.some((shares) => shares(each.place)))];
}

export interface Definition {
  reads: Reads;
  /** The place in the request of what reads. */
  pointer: string;
  code?: 'RLS_COPY' | 'RLS_RAW_SQL';
}

/**
 * For the definition of what stores or sends rows for others, such as a dataset, a pipeline or a stream. Throws
 * `RLS_COPY` with the names of the tables unless the caller may see all that it reads, or decides themselves who sees
 * it.
 */
export async function requireAllRows(
  deps: CopyDeps,
  principal: Principal,
  { reads, pointer, code = 'RLS_COPY' }: Definition,
): Promise<void> {
  if (isPermitted('model-policies:manage', principal)) return;
  const tables = await hiddenTables(deps, principal, reads);
  if (tables.length === 0) return;
  throw new AppError(code, {
    detail: `Row-level security or sensitivity labels hide a part of ${listed(tables)} from you, and this would show it to others. Ask a workspace admin to define it.`,
    errors: tables.map((name) => ({
      pointer,
      code,
      message: `reads ${name}, and you may not see all of it`,
    })),
  });
}

const MAX_LISTED = 5;

export function listed(tables: readonly string[]): string {
  const more = tables.length - MAX_LISTED;
  const shown = tables.slice(0, MAX_LISTED);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
