import { AppError } from '../../../../platform/errors/app-error.ts';
import { later, newId } from '../../../../platform/storage/ids.ts';
import { LatestEntries } from '../../../../platform/storage/latest-entries.ts';
import { jsonBytes } from '../../../../platform/storage/page.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { fromTable } from '../../../../platform/storage/reads-ahead.ts';
import { toRecord } from '../../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { transact } from '../../../../platform/storage/transact.ts';
import {
  differences,
  emptyParts,
  type ModelDefinition,
  PART_KINDS,
  type PartKind,
  type PartMaps,
} from '../definition/definition.ts';
import { generationKey, type ModelPlace, partKey } from '../definition/keys.ts';
import type { ModelRecord } from '../definition/records.ts';
import { protectionItems } from '../protection/protections.ts';
import { auditedParts } from './audited-parts.ts';
import { partsOfOtherMeaning } from './meaning.ts';
import { type ModelRepository, modelRepository } from './repository.ts';

/** A transaction has at most 100 items of 4 MB together; some are left to the record, its name and what comes along. */
const MAX_ITEMS_AT_ONCE = 80;
const MAX_BYTES_AT_ONCE = 3 * 1024 * 1024;

/** How many batches of a generation are written at the same time. */
const BATCHES_AT_ONCE = 4;

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

/** For functions that read models and never change them. */
export const definitionReader = (table: Table): DefinitionReader => cachedReader(table, newCache());

const newCache = () => new LatestEntries<ModelDefinition>(MAX_CACHED_PARTS, partCount);

function cachedReader(table: Table, cache: LatestEntries<ModelDefinition>): DefinitionReader {
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
      const parts = await readParts(table, place, model.generation);
      const after = await fromTable(() => find(place));
      if (after.updatedAt === model.updatedAt) {
        const definition = { model, ...parts };
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
  const cache = newCache();

  async function commit(
    before: ModelDefinition,
    after: ModelDefinition,
    extra: readonly TransactItem[] = [],
  ): Promise<ModelDefinition> {
    const also = [...extra, ...protectionItems(table, before, after)];
    const repository = modelRepository(table, auditedParts(before, after), partsOfOtherMeaning(before, after));
    const { put, remove } = differences(before, after);
    const place = modelPlaceOf(before.model);
    const now = table.now();
    const record: ModelRecord = {
      ...after.model,
      edition: before.model.edition + 1,
      updatedAt: later(before.model.updatedAt, now),
    };
    const items = [
      ...put.map(({ kind, part }) => putItem(table, place, record.generation, kind, part)),
      ...remove.map(({ kind, id }) => ({
        Delete: { TableName: table.name, Key: partKey(place, record.generation, kind, id) },
      })),
    ];
    const isSmall = items.length <= MAX_ITEMS_AT_ONCE && jsonBytes(put.map(({ part }) => part)) <= MAX_BYTES_AT_ONCE;
    const next = isSmall
      ? await repository.replace(before.model, record, 'STALE_WRITE', [...items, ...also])
      : await replaceGeneration(repository, before.model, { ...after, model: record }, also);
    const stored = { ...after, model: next };
    cache.set(cacheKey(place), stored);
    return stored;
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
    await writeParts(table, place, generation, parts);
    return repository.replace(previous, { ...model, generation }, 'STALE_WRITE', [
      ...also,
      cleanUp({ ...place, generation: previous.generation }, now),
    ]);
  }

  return { ...cachedReader(table, cache), commit };
}

async function readParts(table: Table, place: ModelPlace, generation: string): Promise<PartMaps> {
  const parts = emptyParts() as Record<PartKind, Map<string, unknown>>;
  const start = generationKey(place, generation);
  for await (const item of itemsBelow(table, start)) {
    const kind = (item.sk as string).slice(start.sk.length).split('#', 1)[0] as PartKind;
    parts[kind].set(item.id as string, toRecord(item));
  }
  return parts as unknown as PartMaps;
}

/** In batches without a condition: nothing reads the generation yet. */
async function writeParts(table: Table, place: ModelPlace, generation: string, parts: PartMaps): Promise<void> {
  const items = PART_KINDS.flatMap((kind) =>
    [...parts[kind].values()].map((part) => putItem(table, place, generation, kind, part)),
  );
  const batches = batchesOf(items);
  const write = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await transact(table, batch);
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, write));
}

function batchesOf(items: readonly TransactItem[]): TransactItem[][] {
  const batches: TransactItem[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    bytes += jsonBytes(item);
    if (batches.at(-1)!.length === 100 || bytes > MAX_BYTES_AT_ONCE) {
      batches.push([]);
      bytes = jsonBytes(item);
    }
    batches.at(-1)!.push(item);
  }
  return batches.filter((batch) => batch.length > 0);
}

function putItem(
  table: Table,
  place: ModelPlace,
  generation: string,
  kind: PartKind,
  part: { id: string },
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...part, ...partKey(place, generation, kind, part.id), entity: 'model-part' },
    },
  };
}
