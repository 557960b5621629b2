import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import { type PageOf, pageOf } from '../../../platform/storage/page.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type DashboardPlace, snapshotKey, snapshotPrefix, versionKey } from './keys.ts';
import type { DashboardState, DashboardVersion, Snapshot } from './records.ts';

/** An item has at most 400 KB. */
const SLICE_BYTES = 350 * 1024;

/** Versions never change, so a function caches some of those that it has read. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

export interface DashboardVersions {
  /** Newest first. */
  list(place: DashboardPlace, page: { limit: number; offset: number }): Promise<PageOf<DashboardVersion>>;
  /** Throws `DASHBOARD_VERSION_NOT_FOUND`. */
  find(place: DashboardPlace, version: number): Promise<DashboardVersion>;
  /** What the version preserves. Throws `DASHBOARD_VERSION_NOT_FOUND`. */
  read(place: DashboardPlace, version: number): Promise<Snapshot>;
  /** Stores a version in the transaction that publishes it. */
  items(state: DashboardState, version: DashboardVersion): TransactItem[];
}

export function dashboardVersions(table: Table): DashboardVersions {
  const cache = new LatestEntries<{ snapshot: Snapshot; bytes: number }>(MAX_CACHED_BYTES, ({ bytes }) => bytes);

  async function find(place: DashboardPlace, version: number): Promise<DashboardVersion> {
    const Key = versionKey(place, version);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (!found.Item) throw new AppError('DASHBOARD_VERSION_NOT_FOUND');
    return toRecord<DashboardVersion>(found.Item);
  }

  return {
    find,

    async list(place, page) {
      const { pk } = versionKey(place, 0);
      const items = await Array.fromAsync(itemsBelow(table, { pk, sk: 'VERSION#' }, { newestFirst: true }));
      return pageOf(items, page, (item) => toRecord<DashboardVersion>(item));
    },

    async read(place, version) {
      const key = JSON.stringify([place, version]);
      const cached = cache.get(key);
      if (cached) return cached.snapshot;
      const items = await Array.fromAsync(itemsBelow(table, snapshotPrefix(place, version)));
      if (items.length === 0) throw new AppError('DASHBOARD_VERSION_NOT_FOUND');
      const content = gunzipSync(Buffer.concat(items.map((item) => Buffer.from(item.content as Uint8Array))));
      const snapshot = JSON.parse(content.toString('utf8')) as Snapshot;
      cache.set(key, { snapshot, bytes: content.length });
      return snapshot;
    },

    items(state, version) {
      const place = { workspaceId: state.record.workspaceId, dashboardId: state.record.id };
      const put = (Item: Record<string, unknown>): TransactItem => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      });
      const content = gzipSync(JSON.stringify(snapshotOf(state)));
      return [
        put({ ...version, ...versionKey(place, version.version), entity: 'dashboard-version' }),
        ...Array.from({ length: Math.ceil(content.length / SLICE_BYTES) }, (_, slice) =>
          put({
            ...snapshotKey(place, version.version, slice),
            entity: 'dashboard-snapshot',
            content: content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
          }),
        ),
      ];
    },
  };
}

function snapshotOf({ record: { name, description }, body, pages, cards, filters }: DashboardState): Snapshot {
  return { name, description, ...body, pages, cards, filters };
}
