import { freeName } from '../../../../../shared/data/duckdb/column-names.ts';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier } from '../../../../../shared/data/duckdb/quoting.ts';
import type { TableProfile } from '../../../../../shared/data/profiles/profile.ts';
import { checkTable } from '../../../../../shared/data/quality/evaluate-table.ts';
import { outcomeOf } from '../../../../../shared/data/quality/outcome.ts';
import { columnsOf } from '../../../../../shared/data/quality/tests.ts';
import { bytesOf } from '../../../../../shared/data/tables/data-file.ts';
import {
  type Cadence,
  type Candidate,
  freshnessOf,
  grammarOf,
  listTests,
  type Reference,
  referenceCandidates,
  type StoredScan,
  type StoredTest,
  suggestTests,
  type TriedCandidate,
  testRepository,
} from '../../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../../shared/domains/semantics/models/index.ts';
import {
  type Dataset,
  listAllDatasets,
  listVersions,
  readManifest,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { attachDatasets } from '../quality/attach-table.ts';
import type { ScanWorker } from './scan-worker.ts';

/** Candidates that are tried on the rows; a scan suggests fewer. */
const MAX_TRIED = 12;
const MAX_REFERENCE_BYTES = 256 * 1024 * 1024;

/** What suggestions need besides the rows. */
export interface SuggestionContext {
  references: Reference[];
  /** The tables of the engine by the names of the datasets that references lead to. */
  attached: ReadonlyMap<string, string>;
  cadence: Cadence | undefined;
  existing: StoredTest[];
}

/** Finds and attaches the datasets to which columns may refer; call it before the engine is locked. */
export async function suggestionContext(
  worker: ScanWorker,
  engine: Engine,
  { scan, relation, room }: { scan: StoredScan; relation: string; room: number },
): Promise<SuggestionContext> {
  const { workspaceId, tableKey } = scan;
  const existing = await listTests(testRepository(worker.table), workspaceId, (test) => test.tableKey === tableKey);
  const columns = await engine.describe(`SELECT * FROM ${quoteIdentifier(relation)}`);
  const datasets = await listAllDatasets(worker.table, workspaceId);
  const own = scan.sourceId === DATASETS ? datasets.find(({ name }) => name === scan.tableName) : undefined;
  const found = referenceCandidates(
    columns,
    datasets.filter((each) => each !== own && each.version > 0),
  );
  const chosen = datasets.filter(({ name }) => found.some(({ refTable }) => refTable === name));
  const names = await fitting(worker, chosen, room);
  const attached = await attachDatasets(worker, engine, { workspaceId, names });
  const references = found.filter(({ refTable }) => attached.has(refTable));
  return { references, attached, cadence: own && (await cadenceOf(worker, own)), existing };
}

/** Those that fit beside the scanned rows, which the cache would drop for them. */
async function fitting({ table, objects }: ScanWorker, datasets: readonly Dataset[], room: number) {
  const names = new Set<string>();
  let left = room;
  for (const dataset of datasets) {
    const manifest = await readManifest(table, objects, dataset);
    const bytes = bytesOf(manifest?.files ?? []);
    if (bytes > Math.min(left, MAX_REFERENCE_BYTES)) continue;
    names.add(dataset.name);
    left -= bytes;
  }
  return names;
}

async function cadenceOf({ table, now }: ScanWorker, dataset: Dataset): Promise<Cadence | undefined> {
  const { workspaceId, id, schedule, loadedAt } = dataset;
  const versions = await listVersions(table, workspaceId, id);
  const loads = versions.map(({ createdAt }) => createdAt).reverse();
  const { expectedEvery } = freshnessOf({ lastLoadedAt: loadedAt, schedule, loads }, now());
  return loadedAt === null || expectedEvery === null ? undefined : { loadedAt, everyMs: expectedEvery * 1000 };
}

/** The tests that a profile suggests and that pass on all rows of the table, the most certain first. */
export async function triedSuggestions(
  engine: Engine,
  relation: string,
  {
    profile,
    previous,
    context,
    now,
  }: {
    profile: TableProfile;
    previous: TableProfile | undefined;
    context: SuggestionContext;
    now: Date;
  },
): Promise<TriedCandidate[]> {
  const { references, cadence, attached, existing } = context;
  const candidates = suggestTests({ profile, previous, references, cadence })
    .filter((each) => !existing.some((test) => isSameRule(each, test)))
    .slice(0, MAX_TRIED);
  if (candidates.length === 0) return [];
  const columns = await engine.describe(`SELECT * FROM ${quoteIdentifier(relation)}`);
  const rowNumber = freeName('number of the row', columns);
  await engine.run(`CREATE OR REPLACE TEMP VIEW input AS SELECT * FROM ${quoteIdentifier(relation)}`);
  // No suggested test needs the order of the rows, and no samples are taken.
  await engine.run(`CREATE OR REPLACE TEMP VIEW numbered AS SELECT *, 0 AS ${quoteIdentifier(rowNumber)} FROM input`);
  const tests = candidates.map(({ testType, columnName, config }) =>
    grammarOf({ testType, columnName, config: { ...config, sampleLimit: 0 } }),
  );
  const results = await checkTable(engine, tests, {
    columns,
    rowNumber,
    references: attached,
    now,
    bindText: (sql) => ({ sql, params: [] }),
  });
  return candidates.flatMap((each, index) => {
    const result = results[index]!;
    if ('error' in result || outcomeOf(tests[index]!, result) !== 'passed') return [];
    const { evaluatedRows, failedRows: estimatedFailures } = result;
    return [{ ...withoutSlack(each, estimatedFailures), evaluatedRows, estimatedFailures }];
  });
}

/** Without failing rows, a limit would only hide the first ones. */
function withoutSlack(candidate: Candidate, failures: number): Candidate {
  if (failures > 0 || candidate.testType !== 'foreign_key') return candidate;
  const { mostly: _limit, ...config } = candidate.config;
  return { ...candidate, config };
}

function isSameRule({ testType, columnName, config }: Candidate, test: StoredTest): boolean {
  if (test.testType !== testType) return false;
  const wanted = columnsOf(grammarOf({ testType, columnName, config }));
  const columns = columnsOf(grammarOf(test));
  return columns.length === wanted.length && columns.every((name) => wanted.includes(name));
}

/** Suggestions are an extra: a scan does not fail because of them. */
export function withoutSuggestions(error: unknown): undefined {
  if (error instanceof DataError || error instanceof AppError) return undefined;
  throw error;
}
