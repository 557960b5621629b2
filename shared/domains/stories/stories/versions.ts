import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import type { PageOf } from '../../../platform/storage/page.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { allVersions, type StoryPlace, snapshotKey, versionKey } from './keys.ts';
import { asNarrowed, type Narrowed, narrowedFrom } from './narrowed.ts';
import type { StorySnapshot, StoryVersion } from './records.ts';

/** An item has at most 400 KB. */
const SLICE_BYTES = 350 * 1024;

/** Versions never change, so a function caches some of those that it has read. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

export interface StoryVersions {
  /** Newest first, back from the newest one. */
  list(place: StoryPlace, newest: number, page: { limit: number; offset: number }): Promise<PageOf<StoryVersion>>;
  /** Throws `STORY_VERSION_NOT_FOUND`. */
  find(place: StoryPlace, version: number): Promise<StoryVersion>;
  /**
   * What the version preserves. A section that was narrowed since is as its readers may see it now. Throws
   * `STORY_VERSION_NOT_FOUND`.
   */
  read(place: StoryPlace, version: number): Promise<StorySnapshot>;
  /** Stores a version in the transaction that publishes it. A story of the maximum size, compressed, fits in. */
  items(place: StoryPlace, snapshot: StorySnapshot, version: StoryVersion): TransactItem[];
  /** Which sections of the versions so far were narrowed, by their ids. */
  narrowed(place: StoryPlace): Promise<ReadonlyMap<string, Narrowed>>;
}

export function storyVersions(table: Table): StoryVersions {
  const cache = new LatestEntries<{ snapshot: StorySnapshot; bytes: number }>(MAX_CACHED_BYTES, ({ bytes }) => bytes);

  async function readSnapshot(place: StoryPlace, version: number): Promise<StorySnapshot> {
    const { pk, sk } = versionKey(place, version);
    const cached = cache.get(`${pk}|${sk}`);
    if (cached) return cached.snapshot;
    const items = await Array.fromAsync(itemsBelow(table, { pk, sk: `SNAPSHOT#${version}#` }));
    if (items.length === 0) throw new AppError('STORY_VERSION_NOT_FOUND');
    const content = gunzipSync(Buffer.concat(items.map((item) => Buffer.from(item.content as Uint8Array))));
    const snapshot = JSON.parse(content.toString('utf8')) as StorySnapshot;
    cache.set(`${pk}|${sk}`, { snapshot, bytes: content.length });
    return snapshot;
  }

  async function readNarrowed(place: StoryPlace): Promise<ReadonlyMap<string, Narrowed>> {
    const items = itemsBelow(table, { ...allVersions(place), sk: 'NARROWED#' });
    const narrowed = await Array.fromAsync(items, narrowedFrom);
    return new Map(narrowed.map((each) => [each.sectionId, each]));
  }

  return {
    async find(place, version) {
      const Key = versionKey(place, version);
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      if (!found.Item) throw new AppError('STORY_VERSION_NOT_FOUND');
      return toRecord<StoryVersion>(found.Item);
    },

    async list(place, newest, { limit, offset }) {
      const last = newest - offset;
      const numbers = Array.from({ length: Math.max(0, Math.min(limit, last)) }, (_, index) => last - index);
      const items = await readItems(
        table,
        numbers.map((version) => versionKey(place, version)),
      );
      const found = items.map((item) => toRecord<StoryVersion>(item)).sort((a, b) => b.version - a.version);
      return { items: found, total: newest, limit, offset };
    },

    async read(place, version) {
      const [snapshot, narrowed] = await Promise.all([readSnapshot(place, version), readNarrowed(place)]);
      const sections = snapshot.sections.map((section) => asNarrowed(section, version, narrowed.get(section.id)));
      return { ...snapshot, sections };
    },

    narrowed: readNarrowed,

    items(place, snapshot, version) {
      const put = (Item: Record<string, unknown>): TransactItem => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      });
      const content = gzipSync(JSON.stringify(snapshot));
      return [
        put({ ...version, ...versionKey(place, version.version), entity: 'story-version' }),
        ...Array.from({ length: Math.ceil(content.length / SLICE_BYTES) }, (_, slice) =>
          put({
            ...snapshotKey(place, version.version, slice),
            entity: 'story-snapshot',
            content: content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
          }),
        ),
      ];
    },
  };
}
