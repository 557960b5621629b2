import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import type { EngineRoom } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type {
  DatasetDeps,
  QueryJobCommand,
  QueryJobKeys,
  QueryJobReport,
} from '../../../../../shared/domains/queries/index.ts';
import type { DataSourceRepository } from '../../../../../shared/domains/sources/index.ts';
import type { SecretBox } from '../../../../../shared/platform/crypto/secret-box.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { AddressGuard } from '../../../../../shared/platform/net/address-guard.ts';
import type { ObjectCache } from '../../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { JobControl } from '../job-kind.ts';

export interface QueryWorker extends DatasetDeps {
  objects: ObjectStore;
  cache: ObjectCache;
  sources: DataSourceRepository;
  secrets: SecretBox;
  guard: AddressGuard;
  room: EngineRoom;
  now(): Date;
}

/** A statement at work for a job. */
export interface QueryAttempt {
  job: StoredJob;
  command: QueryJobCommand;
  keys: QueryJobKeys;
  control: JobControl;
  /** Works with an engine that is stopped when it takes too long or too much. */
  withEngine<T>(timeoutMs: number, work: (engine: Engine) => Promise<T>): Promise<T>;
}

/** What an attempt has stored, but for its pages and its file. */
export type QueryOutcome = Omit<QueryJobReport, 'asOf' | 'rights'>;

export const TOO_HEAVY = {
  code: 'QUERY_TOO_HEAVY',
  message: 'The query needed more memory or time than allowed and was stopped.',
};
