import type { JsonSchema } from '../ui/json-schema.ts';
import type { StatusKind } from '../ui/status.tsx';
import { api, type Types } from './client.ts';
import { formSchemas } from './form-schemas.ts';
import { type Query, useQuery } from './query.ts';

export type Issue = Types.DataQualityIssue;
export type Test = Types.DataQualityTest;
export type Run = Types.DataQualityRun;
export type Suggestion = Types.DataQualitySuggestion;
export type ScanSchedule = Types.DataQualityScanSchedule;

const EVERY_MS = 15_000;

export const useIssue = (id: string): Query<Issue> =>
  useQuery(['quality', 'issues', id], () => api.quality.getIssue(id));

export const useTest = (id: string): Query<Test> => useQuery(['quality', 'tests', id], () => api.quality.getTest(id));

export const useScanSchedule = (id: string): Query<ScanSchedule> =>
  useQuery(['quality', 'scans', id], () => api.quality.getScanSchedule(id));

export const useScore = (): Query<Types.DataQualityScore> =>
  useQuery(['quality', 'score'], () => api.quality.getScore(), { everyMs: EVERY_MS });

/** The dataset of a name, whose columns can be tested; null for tables of sources. */
export const useNamedDataset = (name: string): Query<Types.Dataset | null> =>
  useQuery(['quality', 'dataset', name], async () => (await api.datasets.list({ name, limit: 1 })).items[0] ?? null, {
    enabled: name !== '',
  });

const RUN_KINDS: Readonly<Record<string, StatusKind>> = {
  passed: 'succeeded',
  warned: 'waiting',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  running: 'running',
};

export const kindOfRun = (status: string): StatusKind => RUN_KINDS[status] ?? 'skipped';

const ISSUE_KINDS: Readonly<Record<string, StatusKind>> = {
  open: 'failed',
  in_progress: 'running',
  ignored: 'cancelled',
  fixed: 'succeeded',
};

export const kindOfIssue = (status: string): StatusKind => ISSUE_KINDS[status] ?? 'skipped';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** A word of the API as people read it, such as `in progress`. */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');

/** The table and the column of a finding, such as `orders.amount`. */
export const placeOf = ({ schemaName, tableName, columnName }: Pick<Test, 'schemaName' | 'tableName' | 'columnName'>) =>
  [schemaName, tableName, columnName].filter(Boolean).join('.');

/** A dataset, or `schema.table` of a data source. */
export const nameOfTable = ({ schemaName, tableName }: Pick<Test, 'schemaName' | 'tableName'>): string =>
  [schemaName, tableName].filter(Boolean).join('.');

/** The settings of each type of tests. */
export const configSchemas = (): ReadonlyMap<string, JsonSchema> =>
  new Map(
    (formSchemas.QualityGate?.oneOf ?? formSchemas.QualityGate?.anyOf ?? []).map(({ properties }) => [
      String(properties?.type?.const),
      properties?.config ?? {},
    ]),
  );

/** Tests of the whole table, or of columns that their settings name. */
export const WITHOUT_COLUMN: readonly string[] = ['row_count', 'duplicate_detection', 'custom_sql'];
