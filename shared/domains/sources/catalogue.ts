import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { SourceColumn, SourceTable } from '../../data/connectors/connection/connector.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { toRecord } from '../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';

/** A table or file as a sync has found it. */
export interface CatalogueTable extends SourceTable {
  schema: string;
  /** Null where they were not read: of files and endpoints, and of tables that the user may not read. */
  columns: SourceColumn[] | null;
}

/** What was in a source at one time. The tables of a schema are in the order of their names' bytes. */
export interface Catalogue {
  /** The schema that is meant where none is named. */
  defaultSchema: string;
  schemas: string[];
  tables: CatalogueTable[];
}

/** Says which object is the catalogue; the newest sync that has succeeded wrote it. */
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

/** Where the catalogues of a source lie in the data bucket; each attempt of a sync writes its own. */
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

/** Belongs into the transaction that deletes the source. */
export function removeCatalogueItem(table: Table, place: Place): TransactItem {
  return { Delete: { TableName: table.name, Key: pointerKey(place) } };
}

export async function readCatalogue(objects: Pick<ObjectStore, 'read'>, { object }: CataloguePointer) {
  return JSON.parse((await objects.read(object)).toString('utf8')) as Catalogue;
}
