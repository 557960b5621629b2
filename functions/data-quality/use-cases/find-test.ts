import {
  nameOfTable,
  type QualityTestRecord,
  type StoredTest,
  shownTest,
  type TestRepository,
} from '../../../shared/domains/quality/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import type { TestListQuery } from '../test-schemas.ts';
import type { Named } from './context.ts';

interface Deps {
  tests: TestRepository;
}

export async function findTest({ tests }: Deps, { workspaceId, id }: Named): Promise<StoredTest> {
  const test = await tests.get(workspaceId, id);
  if (!test) throw new AppError('QUALITY_TEST_NOT_FOUND');
  return test;
}

const FILTERS = ['sourceId', 'modelId', 'testType', 'targetType', 'severity', 'isActive'] as const;

export async function listTestPage(
  { tests }: Deps,
  workspaceId: string,
  query: TestListQuery,
): Promise<PageOf<QualityTestRecord>> {
  const { limit, offset, name, sort, tableName } = query;
  const wanted = FILTERS.filter((filter) => query[filter] !== undefined);
  const isFiltered = wanted.length > 0 || tableName !== undefined;
  const matches = (test: StoredTest) =>
    wanted.every((filter) => test[filter] === query[filter]) &&
    (tableName === undefined || nameOfTable(test) === tableName);
  const page = await tests.list(workspaceId, {
    limit,
    offset,
    ...(name === undefined ? {} : { name }),
    ...(sort === undefined ? {} : { sort }),
    ...(isFiltered ? { matches } : {}),
  });
  return { ...page, items: page.items.map(shownTest) };
}
