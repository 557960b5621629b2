import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { TableProfile } from '../../../data/profiles/profile.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { HistoryDay } from './history.ts';

const prefixOf = (workspaceId: string, tableKey: string): string => `W/${workspaceId}/quality/${tableKey}/`;

/** The object of a profile. Each attempt writes one of its own, because objects never change. */
export const profileKey = (
  { workspaceId, tableKey }: { workspaceId: string; tableKey: string },
  scanId: string,
  attempt: number,
): string => `${prefixOf(workspaceId, tableKey)}profiles/${scanId}-${attempt}.json.gz`;

/** The object with the history of a table as of a scan. */
export const historyKey = (place: Parameters<typeof profileKey>[0], scanId: string, attempt: number): string =>
  `${prefixOf(place.workspaceId, place.tableKey)}history/${scanId}-${attempt}.json.gz`;

export async function writeCompact(
  objects: Pick<ObjectStore, 'write'>,
  key: string,
  content: TableProfile | HistoryDay[],
): Promise<void> {
  await objects.write(key, await promisify(gzip)(JSON.stringify(content)), 'application/gzip');
}

export const readProfile = (objects: Pick<ObjectStore, 'read'>, key: string): Promise<TableProfile> =>
  readCompact(objects, key);

export const readHistory = (objects: Pick<ObjectStore, 'read'>, key: string): Promise<HistoryDay[]> =>
  readCompact(objects, key);

async function readCompact<T>(objects: Pick<ObjectStore, 'read'>, key: string): Promise<T> {
  return JSON.parse((await promisify(gunzip)(await objects.read(key))).toString('utf8')) as T;
}
