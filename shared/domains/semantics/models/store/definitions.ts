import { AppError } from '../../../../platform/errors/app-error.ts';
import { later, newId } from '../../../../platform/storage/ids.ts';
import { LatestEntries } from '../../../../platform/storage/latest-entries.ts';
import { jsonBytes } from '../../../../platform/storage/page.ts';
import { fromTable } from '../../../../platform/storage/reads-ahead.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { transact } from '../../../../platform/storage/transact.ts';
import { differences, type ModelDefinition, PART_KINDS, type PartMaps } from '../definition/definition.ts';
import type { ModelPlace } from '../definition/keys.ts';
import type { ModelRecord } from '../definition/records.ts';
import { protectionItems } from '../protection/protections.ts';
import { auditedParts } from './audited-parts.ts';
import { partsOfOtherMeaning } from './meaning.ts';
import { type ModelRepository, modelRepository } from './repository.ts';
import {
  type Changes,
  partItems,
  partsIn,
  readItemsOf,
  type Stored,
  WRITTEN_AS_A_WHOLE,
  writeGeneration,
} from './stored-parts.ts';

/** A transaction has at most 100 items of 4 MB together; some are left to the record, its name and what comes along. */
const MAX_ITEMS_AT_ONCE = 80;
const MAX_BYTES_AT_ONCE = 3 * 1024 * 1024;

/** With more items of parts, the next change writes another generation, which is read in a fraction of the time. */
const MAX_ITEMS_OF_PARTS = 1_000;

/** The parts that a function caches, of all models together. */
const MAX_CACHED_PARTS = 60_000;

const MAX_READS = 8;

/** Makes the item that removes the parts of a generation once they are not, or no longer, those of the model. */
export type GenerationCleanUp = (place: ModelPlace & { generation: string }, at: Date) => TransactItem;

export interface DefinitionReader {
  /** The newest definition. Throws `MODEL_NOT_FOUND`. */
  read(place: ModelPlace): Promise<ModelDefinition>;
}

export interface Definitions extends DefinitionReader {
  /**
   * Stores the next definition if the model has not changed since `before` was read; throws `STALE_WRITE` otherwise. A
   * large change is written beside the current parts first, and readers see either all of it or nothing.
   */
  commit(before: ModelDefinition, after: ModelDefinition, also?: readonly TransactItem[]): Promise<ModelDefinition>;
}

const modelPlaceOf = ({ workspaceId, id: modelId }: ModelRecord): ModelPlace => ({ workspaceId, modelId });
const partCount = (parts: PartMaps) => PART_KINDS.reduce((sum, kind) => sum + parts[kind].size, 1);

const cacheKey = ({ workspaceId, modelId }: ModelPlace) => `${workspaceId}#${modelId}`;

/** Undefined for a model that was deleted. */
export async function modelOrNone(
  definitions: DefinitionReader,
  place: ModelPlace,
): Promise<ModelDefinition | undefined> {
  try {
    return await definitions.read(place);
  } catch (error) {
    if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Definitions never change, and each read checks that it is the newest: all readers of a table share what they
 * read.
 */
const CACHES = new WeakMap<Table, LatestEntries<ModelDefinition>>();

function cacheOf(table: Table): LatestEntries<ModelDefinition> {
  const cache = CACHES.get(table) ?? new LatestEntries<ModelDefinition>(MAX_CACHED_PARTS, partCount);
  CACHES.set(table, cache);
  return cache;
}

/** How definitions are stored that were read or written here. */
const STORED = new WeakMap<ModelDefinition, Stored>();

/** For functions that read models and never change them. */
export function definitionReader(table: Table): DefinitionReader {
  const cache = cacheOf(table);
  const models = modelRepository(table);

  async function find({ workspaceId, modelId }: ModelPlace): Promise<ModelRecord> {
    const model = await models.get(workspaceId, modelId);
    if (!model) throw new AppError('MODEL_NOT_FOUND');
    return model;
  }

  async function read(place: ModelPlace): Promise<ModelDefinition> {
    let model = await find(place);
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const cached = cache.get(cacheKey(place));
      if (cached?.model.updatedAt === model.updatedAt) return cached;
      const items = await readItemsOf(table, place, model.generation);
      const after = await fromTable(() => find(place));
      // Otherwise, some of the items may have been removed in the meantime.
      if (after.updatedAt === model.updatedAt) {
        const { parts, stored } = partsIn(items);
        const definition = { model, ...parts };
        STORED.set(definition, stored);
        cache.set(cacheKey(place), definition);
        return definition;
      }
      model = after;
    }
    throw new AppError('SERVICE_BUSY');
  }

  return { read };
}

export function modelDefinitions(table: Table, cleanUp: GenerationCleanUp): Definitions {
  const cache = cacheOf(table);

  async function commit(
    before: ModelDefinition,
    after: ModelDefinition,
    extra: readonly TransactItem[] = [],
  ): Promise<ModelDefinition> {
    const also = [...extra, ...protectionItems(table, before, after)];
    const repository = modelRepository(table, auditedParts(before, after), partsOfOtherMeaning(before, after));
    const changes = differences(before, after);
    const place = modelPlaceOf(before.model);
    const now = table.now();
    const record: ModelRecord = {
      ...after.model,
      edition: before.model.edition + 1,
      updatedAt: later(before.model.updatedAt, now),
    };
    const stored = STORED.get(before);
    const kept = stored && storedAfter(stored, changes);
    const next = kept
      ? await repository.replace(before.model, record, 'STALE_WRITE', [
          ...partItems(table, { ...place, generation: record.generation }, changes, kept),
          ...also,
        ])
      : await replaceGeneration(repository, before.model, { ...after, model: record }, also);
    const definition = { ...after, model: next };
    STORED.set(definition, kept ?? WRITTEN_AS_A_WHOLE);
    cache.set(cacheKey(place), definition);
    return definition;
  }

  async function replaceGeneration(
    repository: ModelRepository,
    previous: ModelRecord,
    { model, ...parts }: ModelDefinition,
    also: readonly TransactItem[],
  ): Promise<ModelRecord> {
    const place = modelPlaceOf(previous);
    const now = table.now();
    const generation = newId(now);
    // Written first, so that a crash leaves no parts behind. Due once the request is over.
    await transact(table, [cleanUp({ ...place, generation }, new Date(now.getTime() + 10 * 60_000))]);
    await writeGeneration(table, place, generation, parts);
    return repository.replace(previous, { ...model, generation }, 'STALE_WRITE', [
      ...also,
      cleanUp({ ...place, generation: previous.generation }, now),
    ]);
  }

  return { ...definitionReader(table), commit };
}

/** How the parts are stored after a change within their generation; undefined if it is to be written as a whole. */
function storedAfter({ hasBase, items }: Stored, { put, remove }: Changes): Stored | undefined {
  const more = put.length + remove.length;
  const isSmall = more <= MAX_ITEMS_AT_ONCE && jsonBytes(put.map(({ part }) => part)) <= MAX_BYTES_AT_ONCE;
  if (!isSmall || (more > 0 && items + more > MAX_ITEMS_OF_PARTS)) return undefined;
  return { hasBase, items: items + more };
}
