import {
  type FoundTable,
  findTable,
  grammarOf,
  isProtected,
  nameOfTable,
  type QualitySuggestion,
  referencedBy,
  type StoredSuggestion,
  type SuggestionRepository,
  seesAll,
  showSuggestion,
  showsValues,
  statusAt,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { selectPage } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import { createTest } from '../tests/save-test.ts';
import type { TestDeps } from '../use-cases/context.ts';
import type { SuggestionListQuery } from './schemas.ts';

interface Deps extends TestDeps {
  suggestions: SuggestionRepository;
}

interface Decision {
  id: string;
  principal: Principal;
}

export async function listSuggestions(
  deps: Deps,
  principal: Principal,
  { status, tableName, ...request }: SuggestionListQuery,
): Promise<PageOf<QualitySuggestion>> {
  const now = deps.now();
  const all = await deps.suggestions.readAll(principal.workspaceId);
  const wanted = all.filter(
    (each) =>
      (status === undefined || statusAt(each, now) === status) &&
      (tableName === undefined || nameOfTable(each) === tableName),
  );
  const visible = await visibleOf(deps, principal, wanted);
  return selectPage(
    visible.map((each) => showSuggestion(each, now)),
    request,
  );
}

/** Settings and estimates reveal values, so callers see only suggestions for tables that they may see completely. */
async function visibleOf(
  deps: Deps,
  principal: Principal,
  suggestions: readonly StoredSuggestion[],
): Promise<StoredSuggestion[]> {
  const readsSources = isPermitted('query:run', principal);
  const readable = suggestions.filter(({ sourceId }) => sourceId === DATASETS || readsSources);
  const byTables = Map.groupBy(readable, (each) => [each.tableKey, each.datasetId, ...referencesOf(each)].join());
  const seen = await Promise.all(
    [...byTables.values()].map(async (group) => ((await isShownTo(deps, principal, group[0]!)) ? group : [])),
  );
  const ids = new Set(seen.flat().map(({ id }) => id));
  return readable.filter(({ id }) => ids.has(id));
}

/** Rights to a dataset are those to its name, which another one may have got since the scan. */
async function isShownTo(deps: Deps, principal: Principal, each: StoredSuggestion): Promise<boolean> {
  const { workspaceId, sourceId, tableName, datasetId } = each;
  if (sourceId === DATASETS && (await deps.datasets.find(workspaceId, tableName))?.id !== datasetId) return false;
  return seesAll(deps.rights, principal, each, referencesOf(each));
}

const referencesOf = (each: StoredSuggestion): string[] => referencedBy(grammarOf(each));

/** Creates the test. Repeated after a crash, it finds the test that it has created. */
export function applySuggestion(deps: Deps, { id, principal }: Decision): Promise<QualitySuggestion> {
  return onNewest('STALE_WRITE', async () => {
    const before = await pendingSuggestion(deps, { id, principal });
    if (!(await hasColumn(deps, before))) {
      await decide(deps, before, { status: 'expired' });
      throw new AppError('QUALITY_SUGGESTION_CLOSED', {
        detail: 'The table or column of the suggestion no longer exists.',
      });
    }
    if (showsValues(before) && (await isProtected(deps.rights, before))) {
      await decide(deps, before, { status: 'expired' });
      const detail = 'The table is protected now, and the settings of the test would show its values to everyone.';
      throw new AppError('QUALITY_SUGGESTION_CLOSED', { detail });
    }
    const testId = idFrom('suggested-test', id, before.createdAt);
    await createSuggested(deps, principal, before, testId);
    return decide(deps, before, { status: 'applied', testId, decidedBy: principal.userId });
  });
}

export function dismissSuggestion(deps: Deps, { id, principal }: Decision): Promise<QualitySuggestion> {
  return onNewest('STALE_WRITE', async () => {
    const before = await pendingSuggestion(deps, { id, principal });
    return decide(deps, before, { status: 'dismissed', decidedBy: principal.userId });
  });
}

async function pendingSuggestion(deps: Deps, { id, principal }: Decision): Promise<StoredSuggestion> {
  const found = await deps.suggestions.get(principal.workspaceId, id);
  const [visible] = found ? await visibleOf(deps, principal, [found]) : [];
  if (!visible) throw new AppError('QUALITY_SUGGESTION_NOT_FOUND');
  const status = statusAt(visible, deps.now());
  if (status !== 'pending') {
    const detail = `The suggestion is ${status}.`;
    throw new AppError('QUALITY_SUGGESTION_CLOSED', { detail });
  }
  return visible;
}

async function decide(
  deps: Deps,
  before: StoredSuggestion,
  set: Partial<Pick<StoredSuggestion, 'status' | 'testId' | 'decidedBy'>>,
): Promise<QualitySuggestion> {
  const next = { ...before, ...set, updatedAt: later(before.updatedAt, deps.now()) };
  return showSuggestion(await deps.suggestions.replace(before, next, 'STALE_WRITE'), deps.now());
}

async function hasColumn(deps: Deps, { workspaceId, columnName, ...place }: StoredSuggestion): Promise<boolean> {
  const table = await findTable(deps, workspaceId, place).catch(missingTable);
  if (!table) return false;
  return columnName === null || (table.columns ?? []).some(({ name }) => name === columnName);
}

const GONE: readonly string[] = ['QUALITY_TABLE_NOT_FOUND', 'DATA_SOURCE_NOT_FOUND'];

function missingTable(error: unknown): FoundTable | undefined {
  if (error instanceof AppError && GONE.includes(error.code)) return undefined;
  throw error;
}

/** Names of tests are unique, so another test may have that of the suggestion. */
async function createSuggested(deps: Deps, principal: Principal, suggestion: StoredSuggestion, id: string) {
  const { name, testType, config, severity, sourceId, schemaName, tableName, columnName } = suggestion;
  const target = { sourceId, tableName, ...(schemaName === '' ? {} : { schemaName }), columnName };
  const create = (free: string) =>
    createTest(deps, {
      id,
      principal,
      test: {
        ...{ name: free, testType, config, severity, ...target },
        targetType: 'source_table',
        description: 'Suggested by a scan of the table.',
        timezone: 'UTC',
        runOnSync: sourceId === DATASETS,
        isActive: true,
      },
    });
  try {
    await create(name);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'QUALITY_TEST_NAME_TAKEN') throw error;
    await create(`${name} ${id.slice(-8)}`);
  }
}
