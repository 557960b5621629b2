import { issuePlaces, recordResolved, removeLatestItem, testCopy } from '../../../../shared/domains/quality/index.ts';
import { removeCopyItem } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Named, TestDeps } from '../use-cases/context.ts';
import { findTest } from './find-test.ts';

/** Its issues are fixed: no run can do so any more. Its runs expire. */
export function deleteTest(deps: Pick<TestDeps, 'tests' | 'now'> & { table: Table }, named: Named): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const test = await findTest(deps, named);
    const { failure, error } = issuePlaces(test);
    // Before the test is gone, so that a crash in between leaves it to be deleted again.
    for (const place of [failure, error]) await recordResolved(deps, place, 'The test was deleted.');
    await deps.tests.remove(test, 'STALE_WRITE', [
      removeLatestItem(deps.table, test),
      removeCopyItem(deps.table, testCopy(test).place),
    ]);
  });
}
