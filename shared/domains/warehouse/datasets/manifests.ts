import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { DataFile } from '../../../data/tables/data-file.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { Dataset, Manifest } from './record.ts';

/** Larger lists of files are stored in the bucket; an item holds at most 400 KB. */
const MAX_INLINE_BYTES = 64 * 1024;

/** A version as stored. An expired version cannot be read; its item stays until its files are deleted. */
type StoredVersion = Omit<Manifest, 'files'> & {
  files?: DataFile[];
  filesObject?: string;
  expiredAt?: string;
  pinnedBy?: Set<string>;
};

/** The lists of a manifest, which can be long. */
interface Lists {
  files: DataFile[];
  boundary?: readonly string[] | null;
}

/** A version without its lists. */
export type VersionSummary = Omit<Manifest, 'files' | 'watermark'>;

export interface VersionWithFiles extends Manifest {
  expiredAt?: string;
  /** What keeps the version from expiring. */
  pinnedBy?: Set<string>;
  /** The key of the object with the list of files, if it is not in the item. */
  filesObject?: string;
}

/** Versions sort by their number. */
export function manifestKey(workspaceId: string, datasetId: string, version: number): Key {
  return workspaceKey(workspaceId, `DATASET#${datasetId}`, `V#${String(version).padStart(8, '0')}`);
}

/** The manifest of a version; undefined while the dataset is empty (version 0). */
export async function readManifest(
  table: Table,
  objects: ObjectStore,
  dataset: Pick<Dataset, 'workspaceId' | 'id' | 'version'>,
): Promise<Manifest | undefined> {
  const found = await table.db.send(
    new GetCommand({
      TableName: table.name,
      Key: manifestKey(dataset.workspaceId, dataset.id, dataset.version),
      // With an eventually consistent read, a new version could seem to be missing.
      ConsistentRead: true,
    }),
  );
  if (!found.Item || found.Item.expiredAt) return undefined;
  const {
    filesObject: _place,
    pinnedBy: _pins,
    ...manifest
  } = await withFiles(objects, toRecord<StoredVersion>(found.Item));
  return manifest;
}

/** The versions that can be restored, the newest first. */
export async function listVersions(table: Table, workspaceId: string, datasetId: string): Promise<VersionSummary[]> {
  const items = (await versionItems(table, workspaceId, datasetId)) as unknown as StoredVersion[];
  return items
    .filter(({ expiredAt }) => !expiredAt)
    .map(({ files: _files, filesObject: _place, watermark: _watermark, pinnedBy: _pins, ...summary }) => summary);
}

/** Every stored version with its files, including expired ones; the newest first. */
export async function readAllVersions(
  table: Table,
  objects: ObjectStore,
  workspaceId: string,
  datasetId: string,
): Promise<VersionWithFiles[]> {
  const items = await versionItems(table, workspaceId, datasetId);
  return Promise.all(items.map((item) => withFiles(objects, item as unknown as StoredVersion)));
}

/** The partition of the due index with versions that wait for their followers, which remove them. */
export const NEW_VERSIONS_PARTITION = 'dataset-versions';

/** The dataset and the version of an item of the partition. */
export function newVersionOf({ pk, sk }: Key): { workspaceId: string; datasetId: string; version: number } {
  const [, workspaceId, , datasetId] = pk.split('#');
  return { workspaceId: workspaceId!, datasetId: datasetId!, version: Number(sk.split('#')[1]) };
}

/** Writes a version, which must not exist. A long list of files is stored before the item that refers to it. */
export async function manifestItem(table: Table, objects: ObjectStore, manifest: Manifest): Promise<TransactItem> {
  const { files, watermark, ...rest } = manifest;
  const lists: Lists = { files, ...(watermark ? { boundary: watermark.boundary } : {}) };
  const text = JSON.stringify(lists);
  const isLarge = Buffer.byteLength(text) > MAX_INLINE_BYTES;
  const filesObject = isLarge ? await storeLists(objects, manifest, text) : undefined;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...manifestKey(manifest.workspaceId, manifest.datasetId, manifest.version),
        entity: 'dataset-version',
        due: NEW_VERSIONS_PARTITION,
        dueAt: manifest.createdAt,
        ...rest,
        ...(filesObject ? { filesObject } : { files }),
        ...(watermark ? { watermark: filesObject ? { ...watermark, boundary: null } : watermark } : {}),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Fails the transaction unless the version exists and has not expired. */
export function liveVersionItem(table: Table, workspaceId: string, datasetId: string, version: number): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: manifestKey(workspaceId, datasetId, version),
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(expiredAt)',
    },
  };
}

/** Named after its content, so attempts with the same files share the object, and others never overwrite it. */
async function storeLists(objects: ObjectStore, manifest: Manifest, text: string): Promise<string> {
  const digest = createHash('sha256').update(`${manifest.version} ${text}`).digest('hex').slice(0, 32);
  const key = `${datasetPrefix(manifest.workspaceId, manifest.datasetId)}manifests/${digest}.json`;
  await objects.write(key, Buffer.from(text), 'application/json');
  return key;
}

async function withFiles(objects: ObjectStore, stored: StoredVersion): Promise<VersionWithFiles> {
  if (stored.files) return { ...stored, files: stored.files };
  const lists = JSON.parse((await objects.read(stored.filesObject!)).toString('utf8')) as Lists;
  const { watermark } = stored;
  return {
    ...stored,
    files: lists.files,
    ...(watermark ? { watermark: { ...watermark, boundary: lists.boundary ?? null } } : {}),
  };
}

async function versionItems(table: Table, workspaceId: string, datasetId: string): Promise<Record<string, unknown>[]> {
  const { pk } = manifestKey(workspaceId, datasetId, 0);
  const items = itemsBelow(table, { pk, sk: 'V#' }, { newestFirst: true });
  return Array.fromAsync(items, (item) => toRecord<Record<string, unknown>>(item));
}

/** The prefix of all objects of a dataset. */
export const datasetPrefix = (workspaceId: string, datasetId: string): string =>
  `W/${workspaceId}/datasets/${datasetId}/`;
