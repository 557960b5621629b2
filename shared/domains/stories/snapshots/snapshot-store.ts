import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { cleanUpItem } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { emptyParts, type ModelDefinition, PART_KINDS } from '../../semantics/models/index.ts';
import { pinVersionItem, unpinVersionItem } from '../../warehouse/datasets/index.ts';
import { pinPrefix, type StoryPlace } from '../stories/index.ts';
import type { PinnedDataset, Pins } from './pins.ts';

/** An item has at most 400 KB. */
const SLICE_BYTES = 350 * 1024;
/** Pins never change, so a function caches some of those that it has read. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** How many versions of datasets the stories of a workspace keep. */
const MAX_KEPT_VERSIONS = 200;
/** When pins without a published version belong to a request that has crashed. */
const ORPHANED_MS = 10 * 60 * 1000;

/** The pins of one publication. */
export interface PinsPlace extends StoryPlace {
  pinsId: string;
}

/** Keeps versions of datasets from expiring, for the pins of a story. */
interface Hold extends PinsPlace {
  takenAt: string;
  datasets: PinnedDataset[];
}

export type EndedPins = { kind: 'story-pins'; workspaceId: string; storyId: string; pinsId: string };

export interface SnapshotStore {
  /** Announces pins, so that a crash leaves nothing behind, and keeps what they read. Returns what cannot be kept. */
  begin(place: PinsPlace, takenAt: Date, datasets: readonly PinnedDataset[]): Promise<PinnedDataset[]>;
  writeModel(place: PinsPlace, definition: ModelDefinition): Promise<void>;
  /** Returns false if it is too large to be stored. */
  writeStored(place: PinsPlace, key: string, stored: unknown): Promise<boolean>;
  writePins(place: PinsPlace, pins: Pins): Promise<void>;
  /** Undefined if they were removed. */
  read(place: PinsPlace): Promise<Pins | undefined>;
  readModel(place: PinsPlace, modelId: string): Promise<ModelDefinition | undefined>;
  readStored<T>(place: PinsPlace, key: string): Promise<T | undefined>;
  /** Whether the versions are still kept. */
  isHeld(place: PinsPlace): Promise<boolean>;
}

export function snapshotStore(table: Table): SnapshotStore {
  const cache = new LatestEntries<{ value: unknown; bytes: number }>(MAX_CACHED_BYTES, ({ bytes }) => bytes);

  async function write(place: PinsPlace, name: string, value: unknown, maxSlices = 100): Promise<boolean> {
    const content = gzipSync(JSON.stringify(value));
    const count = Math.ceil(content.length / SLICE_BYTES);
    if (count > maxSlices) return false;
    for (let slice = 0; slice < count; slice += 1) {
      const Item = {
        ...sliceKey(place, name, slice),
        entity: 'story-pins',
        count,
        content: content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
      };
      await transact(table, [{ Put: { TableName: table.name, Item } }]);
    }
    return true;
  }

  async function read<T>(place: PinsPlace, name: string): Promise<T | undefined> {
    const { pk, sk } = sliceKey(place, name, 0);
    const known = cache.get(`${pk}|${sk}`);
    if (known) return known.value as T;
    const prefix = { pk, sk: sk.slice(0, -SLICE_DIGITS) };
    const items = await Array.fromAsync(itemsBelow(table, prefix));
    if (items.length === 0 || items.length < (items[0]!.count as number)) return undefined;
    const content = gunzipSync(Buffer.concat(items.map((item) => Buffer.from(item.content as Uint8Array))));
    const value = JSON.parse(content.toString('utf8')) as T;
    cache.set(`${pk}|${sk}`, { value, bytes: content.length });
    return value;
  }

  return {
    async begin(place, takenAt, datasets) {
      const { workspaceId, storyId, pinsId } = place;
      const ended: EndedPins = { kind: 'story-pins', workspaceId, storyId, pinsId };
      const hold = { ...place, takenAt: takenAt.toISOString(), datasets: [...datasets] };
      await transact(table, [
        cleanUpItem(table, ended, new Date(takenAt.getTime() + ORPHANED_MS)),
        { Put: { TableName: table.name, Item: { ...holdKey(place), entity: 'story-hold', ...hold } } },
      ]);
      const lost: PinnedDataset[] = [];
      for (const dataset of datasets) if (!(await keep(table, place, dataset))) lost.push(dataset);
      await releaseOldest(table, place);
      return lost;
    },

    writeModel: async (place, definition) => {
      const parts = Object.fromEntries(PART_KINDS.map((kind) => [kind, [...definition[kind].values()]]));
      await write(place, `MODEL#${definition.model.id}`, { model: definition.model, parts });
    },
    writeStored: (place, key, stored) => write(place, `STORED#${key}`, stored, 1),
    writePins: async (place, pins) => {
      await write(place, 'PINS', pins);
    },

    read: (place) => read<Pins>(place, 'PINS'),
    async readModel(place, modelId) {
      const found = await read<StoredModel>(place, `MODEL#${modelId}`);
      return found && definitionOf(found);
    },
    readStored: (place, key) => read(place, `STORED#${key}`),

    async isHeld(place) {
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key: holdKey(place) }));
      return found.Item !== undefined;
    },
  };
}

const SLICE_DIGITS = 2;
const sliceKey = (place: PinsPlace, name: string, slice: number): Key => {
  const { pk, sk } = pinPrefix(place, place.pinsId);
  return { pk, sk: `${sk}${name}#${String(slice).padStart(SLICE_DIGITS, '0')}` };
};

interface StoredModel {
  model: ModelDefinition['model'];
  parts: Record<string, { id: string }[]>;
}

const definitions = new WeakMap<StoredModel, ModelDefinition>();

/** Maps of parts are made once for each definition that is cached. */
function definitionOf(stored: StoredModel): ModelDefinition {
  const known = definitions.get(stored);
  if (known) return known;
  const parts = PART_KINDS.map((kind) => [kind, new Map((stored.parts[kind] ?? []).map((part) => [part.id, part]))]);
  const made = { ...emptyParts(), ...Object.fromEntries(parts), model: stored.model } as ModelDefinition;
  definitions.set(stored, made);
  return made;
}

const allHolds = (workspaceId: string): Key => workspaceKey(workspaceId, 'STORY-HOLD', '');
/** Ids of pins begin with the time, so the oldest come first. */
const holdKey = ({ workspaceId, storyId, pinsId }: PinsPlace): Key => ({
  pk: allHolds(workspaceId).pk,
  sk: `${allHolds(workspaceId).sk}${pinsId}#${storyId}`,
});

const holderOf = ({ storyId, pinsId }: PinsPlace): string => `story#${storyId}#${pinsId}`;

/** Returns false if the version has expired. */
async function keep(table: Table, place: PinsPlace, { id, version }: PinnedDataset): Promise<boolean> {
  if (version === 0) return true;
  try {
    await transact(table, [pinVersionItem(table, { ...place, datasetId: id, version }, holderOf(place))]);
    return true;
  } catch (cause) {
    if (failedConditions(cause).size > 0) return false;
    throw cause;
  }
}

async function readHolds(table: Table, workspaceId: string): Promise<Hold[]> {
  return (await Array.fromAsync(itemsBelow(table, allHolds(workspaceId)))) as unknown as Hold[];
}

/** The oldest pins of other stories give up their versions while the workspace keeps too many. */
async function releaseOldest(table: Table, { workspaceId, pinsId }: PinsPlace): Promise<void> {
  const holds = await readHolds(table, workspaceId);
  const keptBy = (kept: readonly Hold[]) =>
    new Set(kept.flatMap(({ datasets }) => datasets.map(({ id, version }) => `${id}#${version}`))).size;
  while (keptBy(holds) > MAX_KEPT_VERSIONS && holds.length > 1) {
    const oldest = holds.findIndex((each) => each.pinsId !== pinsId);
    const [hold] = holds.splice(oldest, 1);
    await release(table, hold!);
  }
}

/** May be repeated. */
async function release(table: Table, hold: Hold): Promise<void> {
  for (const { id: datasetId, version } of hold.datasets) {
    if (version === 0) continue;
    try {
      await transact(table, [unpinVersionItem(table, { ...hold, datasetId, version }, holderOf(hold))]);
    } catch (cause) {
      // The dataset is gone.
      if (failedConditions(cause).size === 0) throw cause;
    }
  }
  await transact(table, [{ Delete: { TableName: table.name, Key: holdKey(hold) } }]);
}

/** Removes pins with all that is stored for them. Returns false if anything is left once `isOver` is true. */
export async function removePins(table: Table, place: PinsPlace, isOver: () => boolean): Promise<boolean> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: holdKey(place), ConsistentRead: true }),
  );
  if (found.Item) await release(table, found.Item as unknown as Hold);
  const keys = await Array.fromAsync(
    itemsBelow(table, pinPrefix(place, place.pinsId)),
    ({ pk, sk }): Key => ({ pk: pk as string, sk: sk as string }),
  );
  return deleteItems(table, keys, isOver);
}

/** The pins of a story, of every publication. */
export async function pinsOfStory(table: Table, { workspaceId, storyId }: StoryPlace): Promise<PinsPlace[]> {
  const holds = await readHolds(table, workspaceId);
  return holds.filter((hold) => hold.storyId === storyId);
}
