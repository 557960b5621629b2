import type { EngineResources } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { CopyDeps } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import type { SecretBox } from '../../../../../shared/platform/crypto/secret-box.ts';
import type { AddressGuard } from '../../../../../shared/platform/net/address-guard.ts';
import type { ObjectCache } from '../../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';

/** The dependencies of dataset refreshes. */
export interface RefreshWorker {
  table: Table;
  objects: ObjectStore;
  cache: ObjectCache;
  secrets: SecretBox;
  guard: AddressGuard;
  /** Decides whether a dataset may still copy what it reads. */
  copies: CopyDeps;
  /** The data bucket, which must not be a source. */
  ownBucket: string;
  /** Memory of engines, and the folder where they spill and write files. */
  engineResources: EngineResources;
  now(): Date;
  limits: RefreshLimits;
}

/** Limits of one refresh. */
export interface RefreshLimits {
  rows: number;
  bytes: number;
  columns: number;
}

export const REFRESH_LIMITS: RefreshLimits = { rows: 500_000_000, bytes: 4 * 1024 ** 3, columns: 2000 };

/** A function ends after 15 minutes; the remainder is for startup, storing and committing. */
export const MAX_WORK_MS = 12 * 60 * 1000;
