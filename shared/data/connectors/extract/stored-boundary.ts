import { link, rm } from 'node:fs/promises';
import type { ObjectCache } from '../../../platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Boundary, Watermark } from './incremental.ts';

/** The boundary of an incremental read as it is stored until the next read. */
export interface StoredBoundary {
  /** Null if there are many rows, or too many to be kept. */
  boundary: readonly string[] | null;
  /** The key of the object that holds a large boundary. */
  boundaryObject?: string;
}

/** Stores the boundary of a read. A file is moved to `key` in the bucket. */
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

/**
 * Loads the boundary for the next read. A file is linked to `path`, so that evicting it from the cache does not remove
 * it.
 */
export async function openBoundary(
  { cache }: { cache: ObjectCache },
  { boundary, boundaryObject }: StoredBoundary,
  path: string,
): Promise<Boundary | null> {
  if (boundaryObject === undefined) return boundary;
  await link(await cache.fetch({ key: boundaryObject }), path);
  return { path };
}
