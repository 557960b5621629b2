import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { TableProfile } from '../../data/profiles/profile.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';

const prefixOf = (workspaceId: string, tableKey: string): string => `W/${workspaceId}/quality/${tableKey}/`;

/** The object of a profile. Each attempt writes one of its own, because objects never change. */
export const profileKey = (
  { workspaceId, tableKey }: { workspaceId: string; tableKey: string },
  scanId: string,
  attempt: number,
): string => `${prefixOf(workspaceId, tableKey)}profiles/${scanId}-${attempt}.json.gz`;

export async function writeProfile(
  objects: Pick<ObjectStore, 'write'>,
  key: string,
  profile: TableProfile,
): Promise<void> {
  await objects.write(key, await promisify(gzip)(JSON.stringify(profile)), 'application/gzip');
}

export async function readProfile(objects: Pick<ObjectStore, 'read'>, key: string): Promise<TableProfile> {
  return JSON.parse((await promisify(gunzip)(await objects.read(key))).toString('utf8')) as TableProfile;
}
