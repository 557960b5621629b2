import {
  type Catalogue,
  catalogueObjects,
  cataloguePointerItem,
} from '../../../shared/domains/warehouse/sources/index.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import type { Api } from '../api.ts';
import { dataBucket } from './bucket.ts';

type Columns = Record<string, readonly [type: string, sourceType: string]>;

/** The tables of a data source, stored as a sync stores them. */
export async function givenCatalogue(
  api: Api,
  sourceId: string,
  tables: Record<string, Columns>,
  views: readonly string[] = [],
): Promise<void> {
  const { name: bucket, s3 } = await dataBucket(api.endpoint);
  const place = { workspaceId: api.workspaceId, sourceId };
  const object = `${catalogueObjects(place)}${crypto.randomUUID()}.json`;
  const content: Catalogue = {
    defaultSchema: 'public',
    schemas: ['public'],
    tables: Object.entries(tables).map(([name, columns]) => ({
      schema: 'public',
      name,
      kind: views.includes(name) ? 'view' : 'table',
      columns: Object.entries(columns).map(([column, [type, sourceType]]) => ({
        name: column,
        type,
        sourceType,
        nullable: true,
        primaryKey: false,
      })),
    })),
  };
  await objectStore(bucket, s3).write(object, Buffer.from(JSON.stringify(content)), 'application/json');
  const pointer = { object, syncedAt: new Date().toISOString(), jobId: crypto.randomUUID() };
  await transact(api.table, [cataloguePointerItem(api.table, place, pointer)]);
}
