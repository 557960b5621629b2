import { auditedRecords } from '../../platform/audit/records.ts';
import { scheduleAttributes } from '../../platform/jobs/schedule.ts';
import { type Collection, collection } from '../../platform/storage/collection.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { StoredTest } from './test-records.ts';

export type TestRepository = Collection<StoredTest>;

export function testRepository(table: Table): TestRepository {
  return collection<StoredTest>(table, {
    entity: 'quality-test',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'QUALITY_TEST_NAME_TAKEN' },
    attributes: ({ id, schedule, isActive, updatedAt }) =>
      scheduleAttributes(id, isActive ? schedule : null, new Date(updatedAt)),
    logs: auditedRecords<StoredTest>(table, {
      subject: 'quality_test',
      name: ({ name }) => name,
      members: {
        name: 'shown',
        description: 'shown',
        testType: 'shown',
        sourceId: 'shown',
        schemaName: 'shown',
        tableName: 'shown',
        columnName: 'shown',
        modelId: 'shown',
        fieldId: 'shown',
        config: 'shown',
        schedule: 'shown',
        runOnSync: 'shown',
        severity: 'shown',
        isActive: 'shown',
      },
    }),
  });
}

/** The most tests of a workspace, which lists and scores read together. */
export const MAX_TESTS = 2_000;

/** All tests of a workspace, or those that match. */
export async function listTests(
  tests: Pick<TestRepository, 'list'>,
  workspaceId: string,
  matches: (test: StoredTest) => boolean = () => true,
): Promise<StoredTest[]> {
  const { items } = await tests.list(workspaceId, { limit: MAX_TESTS, offset: 0, matches });
  return items;
}
