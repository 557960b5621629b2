import type { EngineRoom } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { SecretBox } from '../../../../../shared/platform/crypto/secret-box.ts';
import type { AddressGuard } from '../../../../../shared/platform/net/address-guard.ts';
import type { ObjectCache } from '../../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';

/** What refreshing datasets works with. */
export interface RefreshWorker {
  table: Table;
  objects: ObjectStore;
  cache: ObjectCache;
  secrets: SecretBox;
  guard: AddressGuard;
  /** The data bucket, which nobody can name as a source. */
  ownBucket: string;
  /** Where engines spill and files are written. */
  room: EngineRoom;
  now(): Date;
  limits: RefreshLimits;
}

/** What one refresh may bring. */
export interface RefreshLimits {
  rows: number;
  bytes: number;
  columns: number;
}

export const REFRESH_LIMITS: RefreshLimits = { rows: 500_000_000, bytes: 4 * 1024 ** 3, columns: 2000 };

/** A function ends after 15 minutes; this leaves room to take over, store and commit. */
export const MAX_WORK_MS = 12 * 60 * 1000;
