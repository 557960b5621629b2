import { auditedRecords } from '../../../platform/audit/records.ts';
import { scheduleAttributes } from '../../../platform/jobs/schedule.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { MAX_SELECTED } from '../../../platform/storage/list-request.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { StoredTest } from './records.ts';

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

/** The tests of a workspace that match, newest first. */
export async function listTests(
  tests: Pick<TestRepository, 'list'>,
  workspaceId: string,
  matches: (test: StoredTest) => boolean,
): Promise<StoredTest[]> {
  const found: StoredTest[] = [];
  for (;;) {
    const { items, total } = await tests.list(workspaceId, { limit: MAX_SELECTED, offset: found.length, matches });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}
