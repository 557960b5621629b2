import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../../platform/errors/app-error.ts';
import type { PageOf } from '../../../../platform/storage/page.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { toRecord } from '../../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { liveMeasures, type ModelDefinition, type PartMaps } from '../definition/definition.ts';
import { type ModelPlace, snapshotKey, snapshotPrefix, versionKey } from '../definition/keys.ts';
import type { GateReason } from './model-state.ts';
import { packParts, unpackParts } from './packed-parts.ts';

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

/** A transaction has at most 4 MB. */
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
      return unpackParts(items.map(({ content }) => content as Uint8Array));
    },

    items(definition, version) {
      const { workspaceId, id: modelId } = definition.model;
      const place = { workspaceId, modelId };
      const put = (Item: Record<string, unknown>): TransactItem => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      });
      // Deleted measures are no part of a version.
      const measures = new Map(liveMeasures(definition).map((measure) => [measure.id, measure]));
      const slices = packParts({ ...definition, measures });
      if (slices.length > MAX_SLICES)
        throw new AppError('MODEL_TOO_LARGE', { detail: 'The model is too large for a version.' });
      return [
        put({ ...version, ...versionKey(place, version.version), entity: 'model-version' }),
        ...slices.map((content, slice) =>
          put({ ...snapshotKey(place, version.version, slice), entity: 'model-snapshot', content }),
        ),
      ];
    },
  };
}
