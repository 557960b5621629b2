import type { JsonSchema } from '../ui/json-schema.ts';
import type { StatusKind } from '../ui/status.tsx';
import { api, type Types } from './client.ts';
import { formSchemas } from './form-schemas.ts';
import { type Query, useQuery } from './query.ts';

export type Issue = Types.DataQualityIssue;
export type Test = Types.DataQualityTest;
export type Run = Types.DataQualityRun;
export type Suggestion = Types.DataQualitySuggestion;

const EVERY_MS = 15_000;
const PAGE = 200;
const MAX_PAGES = 10;

/** The API has no request for one issue: it is found among the latest. Throws if it is not. */
async function findIssue(id: string): Promise<Issue> {
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, total } = await api.quality.listIssues({ limit: PAGE, offset: page * PAGE });
    const found = items.find((issue) => issue.id === id);
    if (found) return found;
    if ((page + 1) * PAGE >= total) break;
  }
  throw new Error('There is no issue of this id, or it is too old to be found.');
}

export const useIssue = (id: string): Query<Issue> => useQuery(['quality', 'issues', id], () => findIssue(id));

export const useTest = (id: string): Query<Test> => useQuery(['quality', 'tests', id], () => api.quality.getTest(id));

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
