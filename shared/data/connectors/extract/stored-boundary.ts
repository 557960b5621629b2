import { link, rm } from 'node:fs/promises';
import type { ObjectCache } from '../../../platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Boundary, Watermark } from './incremental.ts';

/** The rows at the edge of an incremental read, between two reads. */
export interface StoredBoundary {
  /** Null when there are many, and when there were too many to be known at all. */
  boundary: readonly string[] | null;
  /** Where many of them lie in the bucket. */
  boundaryObject?: string;
}

/** Keeps what a read has left: in the bucket under `key` when it is a file, which goes there and away from the disk. */
export async function storeBoundary(
  objects: ObjectStore,
  boundary: Watermark['boundary'],
  key: string,
): Promise<StoredBoundary> {
  if (boundary === null || !('path' in boundary)) return { boundary };
  await objects.upload(key, boundary.path);
  await rm(boundary.path, { force: true });
  return { boundary: null, boundaryObject: key };
}

/** What a read continues from; a file of rows is put at `path`, where it stays whatever else the cache makes room for. */
export async function openBoundary(
  { objects, cache }: { objects: ObjectStore; cache: ObjectCache },
  { boundary, boundaryObject }: StoredBoundary,
  path: string,
): Promise<Boundary | null> {
  if (boundaryObject === undefined) return boundary;
  // As lists of some thousand rows were stored before there were files.
  if (boundaryObject.endsWith('.json')) return JSON.parse((await objects.read(boundaryObject)).toString('utf8'));
  await link(await cache.fetch({ key: boundaryObject }), path);
  return { path };
}
