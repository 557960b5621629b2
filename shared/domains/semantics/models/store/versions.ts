import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../../platform/errors/app-error.ts';
import type { PageOf } from '../../../../platform/storage/page.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { toRecord } from '../../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import {
  emptyParts,
  liveMeasures,
  type ModelDefinition,
  PART_KINDS,
  type PartKind,
  type PartMaps,
} from '../definition/definition.ts';
import { type ModelPlace, snapshotKey, snapshotPrefix, versionKey } from '../definition/keys.ts';
import type { GateReason } from './model-state.ts';

/** A published state of a model. */
export interface ModelVersion {
  version: number;
  publishedBy: string;
  publishedAt: string;
  gate: { passed: boolean; overridden: boolean; reasons: GateReason[] };
  overrideReason: string | null;
  tableCount: number;
  fieldCount: number;
  measureCount: number;
}

/** An item has at most 400 KB, and a transaction 4 MB. */
const SLICE_BYTES = 350 * 1024;
const MAX_SLICES = 11;

export interface ModelVersions {
  /** Newest first. */
  list(place: ModelPlace, page: { limit: number; offset: number }): Promise<PageOf<ModelVersion>>;
  /** Throws `MODEL_VERSION_NOT_FOUND`. */
  find(place: ModelPlace, version: number): Promise<ModelVersion>;
  /** The parts of the model as they were published. Throws `MODEL_VERSION_NOT_FOUND`. */
  read(place: ModelPlace, version: number): Promise<PartMaps>;
  /** Stores a version in the transaction that publishes it. Throws `MODEL_TOO_LARGE`. */
  items(definition: ModelDefinition, version: ModelVersion): TransactItem[];
}

export function modelVersions(table: Table): ModelVersions {
  async function find(place: ModelPlace, version: number): Promise<ModelVersion> {
    const Key = versionKey(place, version);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (!found.Item) throw new AppError('MODEL_VERSION_NOT_FOUND');
    return toRecord<ModelVersion>(found.Item);
  }

  return {
    find,

    async list(place, { limit, offset }) {
      const { pk } = versionKey(place, 0);
      const items = await Array.fromAsync(itemsBelow(table, { pk, sk: 'VERSION#' }, { newestFirst: true }));
      const page = items.slice(offset, offset + limit).map((item) => toRecord<ModelVersion>(item));
      return { items: page, total: items.length, limit, offset };
    },

    async read(place, version) {
      const items = await Array.fromAsync(itemsBelow(table, snapshotPrefix(place, version)));
      if (items.length === 0) throw new AppError('MODEL_VERSION_NOT_FOUND');
      const bytes = Buffer.concat(items.map(({ content }) => Buffer.from(content as Uint8Array)));
      return partsOf(JSON.parse(gunzipSync(bytes).toString('utf8')));
    },

    items(definition, version) {
      const { workspaceId, id: modelId } = definition.model;
      const place = { workspaceId, modelId };
      const put = (Item: Record<string, unknown>): TransactItem => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      });
      const content = gzipSync(JSON.stringify(plainParts(definition)));
      const count = Math.ceil(content.length / SLICE_BYTES);
      if (count > MAX_SLICES)
        throw new AppError('MODEL_TOO_LARGE', { detail: 'The model is too large for a version.' });
      return [
        put({ ...version, ...versionKey(place, version.version), entity: 'model-version' }),
        ...Array.from({ length: count }, (_, slice) =>
          put({
            ...snapshotKey(place, version.version, slice),
            entity: 'model-snapshot',
            content: content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
          }),
        ),
      ];
    },
  };
}

/** Deleted measures are no part of a version. */
function plainParts(definition: ModelDefinition): Record<PartKind, unknown[]> {
  const parts = Object.fromEntries(PART_KINDS.map((kind) => [kind, [...definition[kind].values()]]));
  return { ...parts, measures: liveMeasures(definition) } as Record<PartKind, unknown[]>;
}

function partsOf(plain: Record<PartKind, { id: string }[]>): PartMaps {
  const parts = PART_KINDS.map((kind) => [kind, new Map((plain[kind] ?? []).map((part) => [part.id, part]))]);
  return { ...emptyParts(), ...Object.fromEntries(parts) } as PartMaps;
}
