import {
  ofTable,
  type QualityTestRecord,
  type StoredTest,
  showTest,
  type TestRepository,
} from '../../../../shared/domains/quality/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Named } from '../use-cases/context.ts';
import type { TestListQuery } from './schemas.ts';

interface Deps {
  tests: TestRepository;
}

export async function findTest({ tests }: Deps, { workspaceId, id }: Named): Promise<StoredTest> {
  const test = await tests.get(workspaceId, id);
  if (!test) throw new AppError('QUALITY_TEST_NOT_FOUND');
  return test;
}

export async function listTestPage(
  { tests }: Deps,
  workspaceId: string,
  query: TestListQuery,
): Promise<PageOf<QualityTestRecord>> {
  const { limit, offset, name, sort, tableName, ...having } = query;
  const page = await tests.list(workspaceId, {
    limit,
    offset,
    ...(name === undefined ? {} : { name }),
    ...(sort === undefined ? {} : { sort }),
    having,
    matches: ofTable(tableName),
  });
  return { ...page, items: page.items.map(showTest) };
}
