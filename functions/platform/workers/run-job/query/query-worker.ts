import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import type { EngineResources } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type {
  DatasetDeps,
  QueryJobCommand,
  QueryJobKeys,
  QueryJobReport,
} from '../../../../../shared/domains/semantics/queries/index.ts';
import type { DataSourceRepository } from '../../../../../shared/domains/warehouse/sources/index.ts';
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
  engineResources: EngineResources;
  now(): Date;
}

/** One attempt to run the statement of a job. */
export interface QueryAttempt {
  job: StoredJob;
  command: QueryJobCommand;
  keys: QueryJobKeys;
  control: JobControl;
  /** Runs work with an engine that is stopped when it exceeds its time or memory. */
  withEngine<T>(timeoutMs: number, work: (engine: Engine) => Promise<T>): Promise<T>;
}

/** The stored result of an attempt, except for its pages and its file. */
export type QueryOutcome = Omit<QueryJobReport, 'asOf' | 'rights'>;

export const TOO_HEAVY = {
  code: 'QUERY_TOO_HEAVY',
  message: 'The query needed more memory or time than allowed and was stopped.',
};
