import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { SourceColumn, SourceTable } from '../../../data/connectors/connection/connector.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

/** A table or file that a sync has found. */
export interface CatalogueTable extends SourceTable {
  schema: string;
  /** Null where they were not read: for files, for endpoints, and for tables that the user may not read. */
  columns: SourceColumn[] | null;
}

/** The content of a source at one time. Tables of a schema are sorted by the bytes of their names. */
export interface Catalogue {
  /** The schema of tables that are named without one. */
  defaultSchema: string;
  schemas: string[];
  tables: CatalogueTable[];
}

/** Refers to the object with the catalogue that the newest successful sync has written. */
export interface CataloguePointer {
  object: string;
  /** When the sync began to read. */
  syncedAt: string;
  jobId: string;
}

interface Place {
  workspaceId: string;
  sourceId: string;
}

const pointerKey = ({ workspaceId, sourceId }: Place): Key =>
  workspaceKey(workspaceId, `DATA-SOURCE#${sourceId}`, 'CATALOGUE');

/** The prefix of the catalogues of a source in the data bucket; each attempt of a sync writes its own. */
export const catalogueObjects = ({ workspaceId, sourceId }: Place): string =>
  `W/${workspaceId}/catalogues/${sourceId}/`;

export async function readCataloguePointer(table: Table, place: Place): Promise<CataloguePointer | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: pointerKey(place), ConsistentRead: true }),
  );
  return found.Item && toRecord<CataloguePointer>(found.Item);
}

export function cataloguePointerItem(table: Table, place: Place, pointer: CataloguePointer): TransactItem {
  return { Put: { TableName: table.name, Item: { ...pointer, ...pointerKey(place), entity: 'catalogue' } } };
}

/** Written in the transaction that deletes the source. */
export function removeCatalogueItem(table: Table, place: Place): TransactItem {
  return { Delete: { TableName: table.name, Key: pointerKey(place) } };
}

export async function readCatalogue(objects: Pick<ObjectStore, 'read'>, { object }: CataloguePointer) {
  return JSON.parse((await objects.read(object)).toString('utf8')) as Catalogue;
}

const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/** Reads the newest catalogues of sources. Those that were read last are cached: their objects never change. */
export function syncedCatalogues(table: Table, objects: Pick<ObjectStore, 'read'>) {
  const cache = new LatestEntries<{ content: Catalogue; characters: number }>(
    MAX_CACHED_CHARACTERS,
    ({ characters }) => characters,
  );
  return async ({ workspaceId, id }: { workspaceId: string; id: string }) => {
    const pointer = await readCataloguePointer(table, { workspaceId, sourceId: id });
    if (!pointer) return undefined;
    const cached = cache.get(pointer.object);
    if (cached) return { syncedAt: pointer.syncedAt, content: cached.content };
    const text = (await objects.read(pointer.object)).toString('utf8');
    const content = JSON.parse(text) as Catalogue;
    cache.set(pointer.object, { content, characters: text.length });
    return { syncedAt: pointer.syncedAt, content };
  };
}
